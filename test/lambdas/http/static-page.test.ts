import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { page } from '../../../lambdas/http/static-page.ts';
import { invoke } from '../../support/invoke.ts';

const beside = mkdtempSync(join(tmpdir(), 'page-'));
afterAll(() => rmSync(beside, { recursive: true }));

const style = 'p { color: red }';
const script = "document.title = 'a < b';";
writeFileSync(
  join(beside, 'page.html'),
  `<meta name="inbox" content="{{inbox}}"><style>${style}</style><a href="{{root}}docs">Docs</a><script type="module">${script}</script>`,
);
writeFileSync(join(beside, 'plain.json'), '{}');

beforeEach(() => {
  process.env.LAMBDA_TASK_ROOT = beside;
  delete process.env.INBOX_URL;
});

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const shown = (path = '/docs', file = 'page.html') =>
  invoke(page(file, 'text/html; charset=utf-8'), 'GetDocs', { path });

test('A page may run its own script and style, call its own service, and nothing else', async () => {
  const { statusCode, headers } = await shown();
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

test('A page varies by Accept-Encoding, because API Gateway compresses it and shared caches may keep it', async () => {
  const { headers } = await shown();
  expect(headers).toMatchObject({
    'Cache-Control': expect.stringMatching(/^public/),
    Vary: 'Accept-Encoding',
  });
});

test('What has no script may run none', async () => {
  const { headers } = await shown('/openapi.json', 'plain.json');
  expect(headers?.['Content-Security-Policy']).toContain("script-src 'none'; style-src 'none'");
});

test.each([
  ['/docs', './docs'],
  ['/docs/', '../docs'],
])('From %s the links lead where they should', async (path, link) => {
  expect((await shown(path)).body).toContain(`<a href="${link}">`);
});

test.each([
  [undefined, 'content=""'],
  ['http://127.0.0.1:3001/', 'content="http://127.0.0.1:3001/"'],
])('The inbox is %s', async (inbox, expected) => {
  if (inbox) process.env.INBOX_URL = inbox;
  expect((await shown()).body).toContain(expected);
});

test('A file that is not there is a failure, which is logged', async () => {
  const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
  expect((await shown('/docs', 'none.html')).statusCode).toBe(500);
  expect(logged).toHaveBeenCalledTimes(1);
});
