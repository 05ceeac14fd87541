import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { servedFile } from '../support/served-files.ts';

const web = resolve(import.meta.dirname, '../../web');

test.each([
  ['console', 45_000, servedFile('console.html')], // @extension console
  ['documentation', 85_000, servedFile('docs.html')], // @extension docs
] as const)('The page of the %s has, compressed, at most %i bytes', (_, budget, html) => {
  const { length } = gzipSync(html);
  expect(length).toBeGreaterThan(10_000);
  expect(length).toBeLessThanOrEqual(budget);
});

// @extension console {
test('The console loads no other file, and has no style or event attributes, which its policy forbids', () => {
  const html = servedFile('console.html');
  expect(html).not.toMatch(/<(script|link|img)[^>]* (src|href)="(?!data:)/);
  expect(html).not.toMatch(/@import|\burl\(/);
  expect(html).not.toMatch(/<[^>]* (style|on\w+)="/);
  expect(html).not.toMatch(/document\.write|\beval\(|new Function\(/);
});
// @extension console }

test('The code of the pages parses no text as HTML', () => {
  const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  expect(sources.length).toBeGreaterThan(20);
  const found = sources.filter((file) =>
    /innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|document\.write/i.test(
      readFileSync(join(web, file), 'utf8'),
    ),
  );
  expect(found).toEqual([]);
});
