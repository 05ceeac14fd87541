import { type KeyPress, opensSearch } from '../../../../web/docs/search/shortcut.ts';

const press = (key: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers,
});

test.each([
  [true, '⌘K on Apple devices', press('k', { metaKey: true }), true, true],
  [true, 'Ctrl K elsewhere', press('k', { ctrlKey: true }), false, true],
  [true, 'Ctrl K with Caps Lock', press('K', { ctrlKey: true }), false, true],
  [true, '/ without a field', press('/'), false, false],
  [true, '/ that needs the Shift key', press('/', { shiftKey: true }), false, false],
  [false, 'Ctrl K on Apple devices, which deletes text', press('k', { ctrlKey: true }), true, true],
  [false, '⌘K elsewhere', press('k', { metaKey: true }), false, false],
  [false, 'K', press('k'), false, false],
  [false, 'Ctrl Shift K', press('K', { ctrlKey: true, shiftKey: true }), false, false],
  [false, '/ in a field', press('/'), false, true],
  [false, 'Ctrl /', press('/', { ctrlKey: true }), false, false],
])('opensSearch() returns %s for %s', (expected, _, key, isApple, isTyping) => {
  expect(opensSearch(key, isApple, isTyping)).toBe(expected);
});
