import { readFileSync, writeFileSync } from 'node:fs';
import { AwsEndpoint } from '../../endpoint/endpoint.ts';
import { unguessablePath } from '../../platform/unguessable-path.ts';
import { serveInbox } from '../../ses/inbox.ts';
import { inboxPage } from '../../ses/inbox-page.ts';
import type { Mail } from '../../ses/mail.ts';
import { Mailbox } from '../../ses/mailbox.ts';
import { send } from '../../testing/raw-http.ts';
import { useTestCloud } from '../support/emulators.ts';

const path = unguessablePath();
const browser = { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const cloud = useTestCloud();
let endpoint: AwsEndpoint;
let mailbox: Mailbox;

/** The IDs of the emails, newest first. */
const all = ['vet', 'html', 'both', '3', '2', '1'];
const add = (messageId: string, more: Partial<Mail> = {}) =>
  mailbox.add({
    messageId,
    from: 'dogs@example.com',
    destination: { to: [`rex${messageId}@example.com`], cc: [], bcc: [] },
    subject: 'Woof',
    body: { text: `Bow ${messageId}`, html: '' },
    at: 1_795_305_600,
    ...more,
  });

beforeEach(async () => {
  mailbox = new Mailbox(cloud.file('mails.jsonl'));
  for (const messageId of ['1', '2', '3']) add(messageId);
  add('both', { destination: { to: ['max@example.com', 'Rex1@Example.com'], cc: [], bcc: [] } });
  add('html', { body: { text: '', html: '<!doctype html><a href="https://dogs.example">Grrr</a>' } });
  add('vet', { destination: { to: [], cc: ['cc@example.com'], bcc: ['bcc@example.com'] } });
  endpoint = cloud.use(new AwsEndpoint());
  await endpoint.listen(0);
});

const pages = [{ path: 'docs', text: 'Docs' }];
const page = (inboxUrl: string) =>
  inboxPage({ name: 'dog service', pages }, 'http://127.0.0.1:3000', inboxUrl);
const get = (page: string, options = {}) => send(endpoint.url, `${path}${page}`, options);

const pageOf = async (query: string) => JSON.parse((await get(`/mails?${query}`)).body);

describe('The inbox', () => {
  beforeEach(() => {
    expect(serveInbox(endpoint, mailbox, path, page)).toEqual({
      inboxUrl: `${endpoint.url}${path}/`,
      mailUrl: `${endpoint.url}${path}/mails`,
    });
  });

  test.each(['/', '/mails/1', '/mails/unknown'])(
    'returns the HTML page to a browser at …%s',
    async (page) => {
      const { status, headers, body } = await get(page, browser);
      expect(status).toBe(200);
      expect(body).toContain(`data-inbox="${endpoint.url}${path}/"`);
      expect(body).toContain('<nav aria-label="Pages"><a href="http://127.0.0.1:3000/docs">Docs</a></nav>');
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': expect.stringContaining("script-src 'sha256-"),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      });
    },
  );

  test('returns the HTML of a mail in a page without scripts, whose links open a new tab', async () => {
    expect(await get('/html/html')).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': expect.stringContaining("default-src 'none'; style-src 'unsafe-inline';"),
      },
      body: `${mailbox.find('html')?.body.html}<base target="_blank">`,
    });
  });

  // An address matches the beginning of addresses. A text matches the subject, the body and the addresses.
  test.each([
    ['address=&text=', all],
    ['limit=2&before=html', ['both', '3']],
    ['limit=2&before=1', []],
    ['limit=2&after=1', ['3', '2']],
    ['limit=2&after=2', ['both', '3']],
    // The newest page is full.
    ['limit=2&after=html', ['vet', 'html']],
    ['limit=2&before=deleted', ['vet', 'html']],
    ['limit=2&after=deleted', ['vet', 'html']],
    ['address=rex1%40example.com', ['both', '1']],
    ['address=REX1@', ['both', '1']],
    ['address=dogs@example.com', all],
    ['address=example.com', []],
    ['address=cc@example.com', ['vet']],
    ['text=bow+3', ['3']],
    ['text=woof', all],
    ['text=max@', ['both']],
    ['text=grrr', ['html']],
    ['address=rex1@example.com&text=max', ['both']],
    ['address=rex1&limit=1&before=both', ['1']],
  ])('selects mails with ?%s', async (query, expected) => {
    const { emails } = await pageOf(query);
    expect(emails.map(({ messageId }: Mail) => messageId)).toEqual(expected);
  });

  test('counts the mails, and has the same mails on a page after new mails arrive', async () => {
    const page = { emails: [mailbox.find('1')], newer: 1, matching: 2, total: 6 };
    expect(await pageOf('address=rex1&limit=1&before=both')).toEqual(page);
    for (const query of ['limit=2&before=3', 'limit=2&after=1']) {
      const before = await pageOf(query);
      add('new');
      const { newer, total } = before;
      expect(await pageOf(query)).toMatchObject({
        ...before,
        newer: newer + 1,
        matching: total + 1,
        total: total + 1,
      });
    }
  });

  test.each<[page: string, status: number, message: string]>([
    ...['0', '1.5', '', '1000000'].map((limit): [string, number, string] => [
      `/mails?limit=${limit}`,
      400,
      'The limit must be an integer from 1 to 999999.',
    ]),
    ['/mails/unknown', 404, 'There is no email "unknown".'],
    ['/html/unknown', 404, 'The email "unknown" does not exist or has no HTML.'],
    ['/html/1', 404, 'The email "1" does not exist or has no HTML.'],
  ])('refuses %s with %d', async (page, status, message) => {
    expect(await get(page)).toMatchObject({ status, body: JSON.stringify({ message }) });
  });

  test.each([
    {},
    ...['application/json', '*/*', 'application/json;charset=utf-8, text/html;q=0.5'].map((Accept) => ({
      headers: { Accept },
    })),
  ])('returns one mail as JSON to a program with %j', async (options) => {
    const { status, body } = await get('/mails/2', options);
    expect([status, JSON.parse(body)]).toEqual([200, mailbox.find('2')]);
  });

  test('deletes all mails in memory and on disk', async () => {
    expect((await get('/mails', { method: 'DELETE' })).status).toBe(204);
    expect(await pageOf('')).toEqual({ emails: [], newer: 0, matching: 0, total: 0 });
    expect(new Mailbox(cloud.file('mails.jsonl')).list().total).toBe(0);
  });

  test('sends an event after each change', async () => {
    const response = await fetch(`${endpoint.url}${path}/events`);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    await reader?.read();
    mailbox.clear();
    expect(await reader?.read()).toEqual({ done: false, value: 'data: changed\n\n' });
    await reader?.cancel();
  });
});

test('A mailbox has the mails whose lines are complete, and logs that another line is incomplete', () => {
  const file = cloud.file('mails.jsonl');
  const content = readFileSync(file);
  for (let length = 0; length <= content.length; length += 1) {
    const remaining = content.subarray(0, length);
    writeFileSync(file, remaining);
    cloud.logged.length = 0;
    const { emails } = new Mailbox(file).list();
    const lines = `${remaining}`.split('\n').filter(Boolean);
    // A line is complete even without its last byte, the newline.
    const complete = lines.filter((line) => line.endsWith('"at":1795305600}')).length;
    expect(emails.map(({ messageId }) => messageId)).toEqual(all.slice(all.length - complete));
    const isIncomplete = lines.length > complete;
    expect(cloud.logged).toEqual(
      isIncomplete ? [`${file} has 1 damaged or incomplete line, which the service skips.`] : [],
    );
  }
});

test('A mailbox skips lines that are not emails, such as random bytes, and logs how many there are', () => {
  const file = cloud.file('mails.jsonl');
  const [line = ''] = readFileSync(file, 'utf8').split('\n');
  const mail = JSON.parse(line);
  const others = [
    ...['\x00\xff\x1b[2J', '[]', '{}', '5', 'null', '"text"'],
    ...Object.keys(mail).map((name) => JSON.stringify({ ...mail, [name]: null })),
    JSON.stringify({ ...mail, destination: { ...mail.destination, to: 'rex@example.com' } }),
    JSON.stringify({ ...mail, destination: { ...mail.destination, cc: [7] } }),
  ];
  writeFileSync(file, Buffer.from([...others, line].join('\n'), 'latin1'));
  cloud.logged.length = 0;
  const { emails } = new Mailbox(file).list({ address: 'x', text: '' });
  expect([emails, new Mailbox(file).list().total]).toEqual([[], 1]);
  const skipped = `${file} has ${others.length} damaged or incomplete lines, which the service skips.`;
  expect(cloud.logged).toEqual([skipped, skipped]);
});

describe('The page of the inbox', () => {
  const { body, contentSecurityPolicy = '' } = page('http://127.0.0.1:3001/secret/');

  test('loads no other file, and has no style or event attributes, which its policy forbids', () => {
    expect(body).not.toMatch(/<(script|link|img)[^>]* (src|href)="(?!data:)/);
    expect(body).not.toMatch(/@import|\burl\(/);
    expect(body).not.toMatch(/<[^>]* (style|on\w+)="/);
    expect(body).not.toContain('{{');
  });

  test('parses no text as HTML', () => {
    expect(body).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|document\.write|\beval\(/i,
    );
  });

  test('has a policy that does not depend on its URL', () => {
    expect(page('http://127.0.0.1:3001/other/').contentSecurityPolicy).toBe(contentSecurityPolicy);
    expect(contentSecurityPolicy).toContain("frame-src 'self'");
  });
});
