import { pages } from '../../bin/pages.ts';

describe('the page at the root', () => {
  const text = pages().get('api/console.ts')?.['console.html'] ?? '';

  test('is small, and whole: it loads nothing else', () => {
    expect(text.length).toBeGreaterThan(10_000);
    expect(text.length).toBeLessThan(60_000);
    expect(text).not.toMatch(/<(script|link|img)[^>]* (src|href)="(?!data:)/);
    expect(text).not.toMatch(/@import|\burl\(/);
  });

  test('has no attributes of style or events, and parses no text, which its policy would not allow', () => {
    expect(text).not.toMatch(/ style="| on\w+="/);
    expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/);
  });
});
