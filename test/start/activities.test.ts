import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Client, eventually, header } from '../support/client.ts';
import { endOf, start, temporaryDirectory, verboseStart } from './support.ts';

test('npm start streams the activities of barks to the holder of the sign-in link', async () => {
  const service = await start(temporaryDirectory(), { command: verboseStart });
  const { base_url } = service.access;
  const [, signInUrl = ''] = /Sign in +(\S+) /.exec(service.output()) ?? [];
  const signedIn = await fetch(signInUrl, { redirect: 'manual' });
  const { hash, origin } = new URL(signedIn.headers.get('Location') ?? '');
  expect(origin).toBe(base_url);
  const path = new URLSearchParams(hash.slice(1)).get('feed') ?? '';
  expect(path).toMatch(/^\/[\w-]{43}\/activities$/);

  const [stream] = (await once(get(`${base_url}${path}`), 'response')) as [IncomingMessage];
  expect(stream.headers['content-type']).toBe('text/event-stream');
  const events = eventsOf(stream);
  const client = new Client(service.access);
  await client.send('POST', '/v1/dogs/message-sync/barks');
  const location = header(await client.send('POST', '/v1/dogs/record-async/barks'), 'Location');
  const bark = location.split('/').at(-1);
  const post = { type: 'request', method: 'POST', user: 'dog-lover' };
  const expected = [
    { type: 'mail', to: ['message-sync@example.com'], subject: 'message-sync barked' },
    { ...post, path: '/v1/dogs/message-sync/barks', status: 200 },
    { ...post, path: '/v1/dogs/record-async/barks', status: 202, location },
    { type: 'workflow', execution: bark, input: { dog: 'record-async', bark } },
  ];
  await eventually(async () => {
    for (const event of expected) expect(events).toContainEqual(expect.objectContaining(event));
  });

  // The open stream does not delay the end of the service.
  const ended = once(stream, 'close');
  expect(await endOf(service, () => service.process.kill('SIGTERM'))).toEqual({ code: 0, soon: true });
  await ended;
});

type Event = Readonly<Record<string, unknown>>;

/** Returns the list of the events of a stream, which grows as the events arrive. */
function eventsOf(stream: IncomingMessage): Event[] {
  const events: Event[] = [];
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      if (data) events.push(JSON.parse(data));
    }
  });
  return events;
}
