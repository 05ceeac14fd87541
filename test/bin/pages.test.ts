import { pages } from '../../bin/pages.ts';

describe('the page at the root', () => {
  const text = pages().get('api/console.ts')?.['console.html'] ?? '';

  test('is small and loads no other file', () => {
    expect(text.length).toBeGreaterThan(10_000);
    expect(text.length).toBeLessThan(60_000);
    expect(text).not.toMatch(/<(script|link|img)[^>]* (src|href)="(?!data:)/);
    expect(text).not.toMatch(/@import|\burl\(/);
  });

  test('has no style or event attributes and parses no HTML, because its Content-Security-Policy forbids this', () => {
    expect(text).not.toMatch(/ style="| on\w+="/);
    expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/);
  });
});
