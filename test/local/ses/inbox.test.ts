import { AwsEndpoint } from '../../../local/endpoint/endpoint.ts';
import { unguessablePath } from '../../../local/platform/unguessable-path.ts';
import { serveInbox } from '../../../local/ses/inbox.ts';
import type { Mail } from '../../../local/ses/mail.ts';
import { Mailbox } from '../../../local/ses/mailbox.ts';
import { useTestCloud } from '../../support/emulators.ts';
import { send } from '../../support/raw-http.ts';

const path = unguessablePath();
const policy = "script-src 'sha256-x'";
const browser = { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const cloud = useTestCloud();
let endpoint: AwsEndpoint;
let mailbox: Mailbox;

beforeEach(async () => {
  mailbox = new Mailbox(cloud.file('mails.jsonl'));
  for (const messageId of ['1', '2', '3'])
    mailbox.add({
      messageId,
      from: 'dogs@example.com',
      destination: { to: [`rex${messageId}@example.com`], cc: [], bcc: [] },
      subject: 'Woof',
      body: { text: `Bow ${messageId}`, html: '' },
      at: 1_795_305_600,
    });
  endpoint = cloud.use(new AwsEndpoint());
  await endpoint.listen(0);
});

const html = async (inboxUrl: string) => ({ html: `<p>${inboxUrl}</p>`, contentSecurityPolicy: policy });
const get = (page: string, options = {}) => send(endpoint.url, `${path}${page}`, options);

async function idsOf(query: string): Promise<string[]> {
  const { emails } = JSON.parse((await get(`/mails${query}`)).body);
  return emails.map(({ messageId }: { messageId: string }) => messageId);
}

describe('The inbox', () => {
  beforeEach(() => {
    expect(serveInbox(endpoint, mailbox, path, html)).toEqual({
      inboxUrl: `${endpoint.url}${path}/`,
      mailUrl: `${endpoint.url}${path}/mails`,
    });
  });

  test.each(['/', '/mails/1', '/mails/unknown'])(
    'returns the HTML page to a browser at …%s',
    async (page) => {
      const { status, headers, body } = await get(page, browser);
      expect([status, body]).toEqual([200, `<p>${endpoint.url}${path}/</p>`]);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      });
    },
  );

  test('returns the HTML of a mail in a page without scripts, whose links open a new tab', async () => {
    const [mail] = mailbox.list().emails;
    const body = { text: 'Bow', html: '<!doctype html><a href="https://dogs.example">Bow</a>' };
    mailbox.add({ ...(mail as Mail), messageId: '4', body });
    expect(await get('/html/4')).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': expect.stringContaining("default-src 'none'; style-src 'unsafe-inline';"),
      },
      body: `${body.html}<base target="_blank">`,
    });
  });

  test.each([
    ['?limit=2', ['3', '2']],
    ['?limit=1&before=3', ['2']],
    ['?limit=1&after=1', ['2']],
    ['?address=rex2%40example.com', ['2']],
    ['?text=bow+3', ['3']],
    ['?address=&text=', ['3', '2', '1']],
  ])('selects mails with %s', async (query, expected) => {
    expect(await idsOf(query)).toEqual(expected);
  });

  test.each<[page: string, status: number, message: string]>([
    ...['0', '-1', '1.5', 'x', '', '1000000'].map((limit): [string, number, string] => [
      `/mails?limit=${limit}`,
      400,
      'The limit must be a number from 1 to 999999.',
    ]),
    ['/mails/unknown', 404, 'There is no mail "unknown".'],
    ['/html/unknown', 404, 'There is no mail "unknown" with HTML.'],
    ['/html/1', 404, 'There is no mail "1" with HTML.'],
  ])('refuses %s with %d', async (page, status, message) => {
    expect(await get(page)).toMatchObject({ status, body: JSON.stringify({ message }) });
  });

  test.each([{}, { headers: { Accept: 'application/json' } }, { headers: { Accept: '*/*' } }])(
    'returns one mail as JSON to a program with %j',
    async (options) => {
      const { status, body } = await get('/mails/2', options);
      expect([status, JSON.parse(body)]).toEqual([200, mailbox.find('2')]);
    },
  );

  test('deletes all mails', async () => {
    expect((await get('/mails', { method: 'DELETE' })).status).toBe(204);
    expect(await idsOf('')).toEqual([]);
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

test('An inbox without an HTML page returns mails as JSON, even to a browser', async () => {
  expect(serveInbox(endpoint, mailbox, path).inboxUrl).toBeUndefined();
  expect((await get('/', browser)).status).toBe(404);
  expect(JSON.parse((await get('/mails/2', browser)).body)).toEqual(mailbox.find('2'));
});
