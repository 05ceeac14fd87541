import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { page } from '../../../lambdas/http/static-page.ts';
import { invoke } from '../../support/invoke.ts';

const directory = mkdtempSync(join(tmpdir(), 'page-'));
afterAll(() => rmSync(directory, { recursive: true }));

const style = 'p { color: red }';
const script = "document.title = 'a < b';";
writeFileSync(
  join(directory, 'page.html'),
  `<style>${style}</style><a href="{{root}}page">Page</a><script type="module">${script}</script>`,
);
writeFileSync(join(directory, 'plain.json'), '{}');

beforeEach(() => {
  process.env.LAMBDA_TASK_ROOT = directory;
});

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const getPage = (path = '/page', file = 'page.html', headers: Record<string, string> = {}) =>
  invoke(page(file, 'text/html; charset=utf-8'), 'GetOpenApi', { path, headers });

test('The policy of a page allows only its own script and style, and calls to its own service', async () => {
  const { statusCode, headers } = await getPage();
  expect(statusCode).toBe(200);
  expect(headers?.['Content-Security-Policy']).toBe(
    [
      "default-src 'none'",
      `script-src ${sha256(script)}`,
      `style-src ${sha256(style)}`,
      "connect-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  );
  expect(headers).toMatchObject({
    'Content-Type': 'text/html; charset=utf-8',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
});

test('A page has Vary: Accept-Encoding, because API Gateway compresses it and shared caches may keep it', async () => {
  const { headers } = await getPage();
  expect(headers).toMatchObject({
    'Cache-Control': 'public, max-age=60, stale-while-revalidate=600',
    Vary: 'Accept-Encoding',
  });
});

describe('The ETag of a page', () => {
  const tagOf = async (path?: string, file?: string) => String((await getPage(path, file)).headers?.ETag);

  test('is weak, because API Gateway compresses the page and keeps the tag', async () => {
    expect(await tagOf()).toMatch(/^W\/"[\w-]{22}"$/);
  });

  test('depends on the content', async () => {
    const tags = [await tagOf(), await tagOf('/page/'), await tagOf('/page', 'plain.json')];
    expect(new Set(tags).size).toBe(3);
    expect(await tagOf()).toBe(tags[0]);
  });

  test('makes the response 304 if it is in If-None-Match', async () => {
    const { headers } = await getPage();
    const response = await getPage('/page', 'page.html', { 'If-None-Match': await tagOf() });
    expect([response.statusCode, response.body]).toEqual([304, '']);
    // The fields of a 304 replace those that a browser has stored.
    expect(response.headers).toEqual(headers);
  });
});

test('The policy of a file without a script allows no script', async () => {
  const { headers } = await getPage('/openapi.json', 'plain.json');
  expect(headers?.['Content-Security-Policy']).toContain("script-src 'none'; style-src 'none'");
});

test.each([
  ['/page', './page'],
  ['/page/', '../page'],
])('The links of a page at %s have the right base', async (path, link) => {
  expect((await getPage(path)).body).toContain(`<a href="${link}">`);
});

test('A missing file returns 500, which is logged', async () => {
  const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
  expect((await getPage('/page', 'none.html')).statusCode).toBe(500);
  expect(logged).toHaveBeenCalledTimes(1);
});
