import { type KeyPress, opensSearch } from '../../../web/shared/search/shortcut.ts';

const press = (key: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers,
});

describe('opensSearch()', () => {
  test.each([
    ['⌘K on Apple devices', press('k', { metaKey: true }), true, true],
    ['Ctrl K elsewhere', press('k', { ctrlKey: true }), false, true],
    ['Ctrl K with Caps Lock', press('K', { ctrlKey: true }), false, true],
    ['/ without a field', press('/'), false, false],
    ['/ that needs the Shift key', press('/', { shiftKey: true }), false, false],
  ])('returns true for %s', (_, key, isApple, isTyping) => {
    expect(opensSearch(key, isApple, isTyping)).toBe(true);
  });

  test.each([
    ['Ctrl K on Apple devices, which deletes text', press('k', { ctrlKey: true }), true, true],
    ['⌘K elsewhere', press('k', { metaKey: true }), false, false],
    ['K', press('k'), false, false],
    ['Ctrl Shift K', press('K', { ctrlKey: true, shiftKey: true }), false, false],
    ['/ in a field', press('/'), false, true],
    ['Ctrl /', press('/', { ctrlKey: true }), false, false],
  ])('returns false for %s', (_, key, isApple, isTyping) => {
    expect(opensSearch(key, isApple, isTyping)).toBe(false);
  });
});
