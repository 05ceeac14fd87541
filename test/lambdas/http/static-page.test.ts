import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { page } from '../../../lambdas/http/static-page.ts';
import { invoke } from '../../support/invoke.ts';

const directory = mkdtempSync(join(tmpdir(), 'page-'));
afterAll(() => rmSync(directory, { recursive: true }));

const style = 'p { color: red }';
const script = "document.title = 'a < b';";
writeFileSync(
  join(directory, 'page.html'),
  `<style>${style}</style><a href="{{root}}docs">Docs</a><script type="module">${script}</script>`,
);
writeFileSync(join(directory, 'plain.json'), '{}');

beforeEach(() => {
  process.env.LAMBDA_TASK_ROOT = directory;
});

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const getPage = (path = '/docs', file = 'page.html') =>
  invoke(page(file, 'text/html; charset=utf-8'), 'GetDocs', { path });

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
    'Cache-Control': expect.stringMatching(/^public/),
    Vary: 'Accept-Encoding',
  });
});

test('The policy of a file without a script allows no script', async () => {
  const { headers } = await getPage('/openapi.json', 'plain.json');
  expect(headers?.['Content-Security-Policy']).toContain("script-src 'none'; style-src 'none'");
});

test.each([
  ['/docs', './docs'],
  ['/docs/', '../docs'],
])('The links of a page at %s have the right base', async (path, link) => {
  expect((await getPage(path)).body).toContain(`<a href="${link}">`);
});

test('A missing file returns 500, which is logged', async () => {
  const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
  expect((await getPage('/docs', 'none.html')).statusCode).toBe(500);
  expect(logged).toHaveBeenCalledTimes(1);
});
