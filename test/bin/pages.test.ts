import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pages } from '../../bin/pages.ts';

const web = resolve(import.meta.dirname, '../../web');

describe('the page at the root', () => {
  const text = pages().get('api/console.ts')?.['console.html'] ?? '';

  test('is small and loads no other file', () => {
    expect(gzipSync(text).length).toBeGreaterThan(10_000);
    expect(gzipSync(text).length).toBeLessThan(60_000);
    expect(text).not.toMatch(/<(script|link|img)[^>]* (src|href)="(?!data:)/);
    expect(text).not.toMatch(/@import|\burl\(/);
  });

  test('has no style or event attributes, because its Content-Security-Policy forbids them', () => {
    expect(text).not.toMatch(/<[^>]* (style|on\w+)="/);
    expect(text).not.toMatch(/document\.write|\beval\(|new Function\(/);
  });
});

test('The code of the pages parses no text as HTML', () => {
  const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  expect(sources.length).toBeGreaterThan(20);
  const found = sources.filter((file) =>
    /innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe/i.test(readFileSync(join(web, file), 'utf8')),
  );
  expect(found).toEqual([]);
});
