import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type Activity, report } from '../../platform/activity.ts';
import { ActivityStream } from '../../platform/activity-stream.ts';

let stream: ActivityStream;
let server: Server;

beforeEach(async () => {
  mock.timers.enable({
    apis: ['setTimeout', 'setInterval', 'Date'],
    now: Date.parse('2026-11-22T14:03:07Z'),
  });
  stream = new ActivityStream();
  server = createServer((request, response) => stream.serve(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  stream.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  mock.timers.reset();
});

const mail = (subject: string): Activity => ({
  type: 'mail',
  messageId: '1',
  to: ['rex@example.com'],
  subject,
});
const request = { type: 'request', path: '/v1/dogs', durationMs: 1, requestId: 'a=' } as const;

class Client {
  readonly response: IncomingMessage;
  private text = '';

  constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding('utf8').on('data', (chunk) => {
      this.text += chunk;
    });
    response.on('error', () => {});
  }

  /** Waits until the stream has sent a text, and returns everything that it has sent. */
  async until(text: string): Promise<string> {
    while (!this.text.includes(text)) await turn();
    return this.text;
  }

  /** Waits until the stream has sent an email with the subject, and returns the IDs and the subjects of all emails. */
  async mailsUntil(subject: string): Promise<[id: string, subject: string][]> {
    const text = await this.until(`${JSON.stringify({ subject }).slice(1)}\n\n`);
    return [...text.matchAll(/^id: (\d+)\ndata: (.*)\n\n/gm)].map(([, id = '', data = '']) => [
      id,
      JSON.parse(data).subject,
    ]);
  }
}

async function connect(headers: Record<string, string> = {}): Promise<Client> {
  const { port } = server.address() as AddressInfo;
  const [response] = await once(get({ port, host: '127.0.0.1', headers, agent: false }), 'response');
  return new Client(response);
}

describe('ActivityStream', () => {
  test('sends each activity with its time and an ID, and "live" after the earlier ones', async () => {
    report(mail('a'));
    const client = await connect();
    report(mail('b'));
    const text = await client.until('"b"}\n\n');
    expect(client.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    });
    const event = (id: number, subject: string) =>
      `id: ${id}\ndata: ${JSON.stringify({ time: '2026-11-22T14:03:07.000Z', ...mail(subject) })}\n\n`;
    expect(text).toBe(`retry: 2000\n\n${event(1, 'a')}event: live\ndata: {}\n\n${event(2, 'b')}`);
  });

  test.each([
    ['2', ['c']],
    // An ID that is not a number.
    ['rex', ['a', 'b', 'c']],
  ])('continues after the Last-Event-ID %s', async (id, expected) => {
    for (const subject of ['a', 'b', 'c']) report(mail(subject));
    const client = await connect({ 'Last-Event-ID': id });
    expect((await client.mailsUntil('c')).map(([, subject]) => subject)).toEqual(expected);
  });

  test('keeps the latest 500 activities', async () => {
    for (let i = 1; i <= 501; i += 1) report(mail(`m${i}`));
    const mails = await (await connect()).mailsUntil('m501');
    expect(mails).toHaveLength(500);
    expect(mails[0]).toEqual(['2', 'm2']);
  });

  test.each<[sent: boolean, what: string, activity: Activity]>([
    [false, 'a GET', { ...request, method: 'GET', status: 200 }],
    [false, 'a failed GET', { ...request, method: 'GET', status: 404 }],
    [false, 'a cold start', { type: 'coldStart', functionName: 'GetDog', durationMs: 1 }],
    [false, 'a message', { type: 'message', text: 'Starting …' }],
    [false, 'a reload', { type: 'reload', changed: [], durationMs: 1 }],
    [true, 'a POST', { ...request, method: 'POST', status: 404 }],
    [true, 'a GET with a server error', { ...request, method: 'GET', status: 500 }],
    [true, 'an occurrence', { type: 'occurrence', schedule: 'a', scheduledAt: 'b', input: { dog: 'rex' } }],
    [true, 'an invocation', { type: 'invocation', functionName: 'BarkOnSchedule', event: { dog: 'rex' } }],
    [true, 'a state', { type: 'workflow', execution: 'a1', state: 'PerformBark', input: { dog: 'rex' } }],
  ])('sends an activity (%s): %s', async (isSent, _, activity) => {
    report(activity);
    report(mail('a'));
    const text = await (await connect()).until('"a"}\n\n');
    expect(text.includes(JSON.stringify(activity).slice(1))).toBe(isSent);
    expect(text).toContain(`id: ${isSent ? 2 : 1}\ndata: {"time":"2026-11-22T14:03:07.000Z","type":"mail"`);
  });

  test('disconnects a client that reads too slowly, and no other', async () => {
    const slow = await connect();
    const disconnected = new Promise((resolve) => slow.response.once('close', resolve));
    // All of this text is unsent, because the event loop does not run in between.
    for (let i = 0; i < 14; i += 1) report(mail('x'.repeat(100_000)));
    await disconnected;
    const client = await connect({ 'Last-Event-ID': '14' });
    report(mail('a'));
    expect(await client.mailsUntil('a')).toEqual([['15', 'a']]);
  });

  test('ends all responses when it is closed, and each later response at once', async () => {
    const client = await connect();
    const ended = once(client.response, 'end');
    stream.close();
    await ended;
    const late = await connect();
    await once(late.response, 'end');
  });
});
