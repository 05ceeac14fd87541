import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { eventually } from '@rest-actions/local-cloud/testing';
import { header } from '../support/client.ts';
import { client, endOf, runCommand, service, useService } from './support.ts';

const directory = useService({ ownGroup: true });

/** The stream of activities that the console shows. */
let activities: IncomingMessage;

test('the sign-in link gives access to a stream of the activities of barks', async () => {
  const [, signInUrl = ''] = /Sign in +(\S+) /.exec(service.output()) ?? [];
  const signedIn = await fetch(signInUrl, { redirect: 'manual' });
  const { hash, origin } = new URL(signedIn.headers.get('Location') ?? '');
  expect(origin).toBe(client.baseUrl);
  const path = new URLSearchParams(hash.slice(1)).get('feed') ?? '';
  expect(path).toMatch(/^\/[\w-]{43}\/activities$/);
  [activities] = (await once(get(`${origin}${path}`, { agent: false }), 'response')) as [IncomingMessage];
  expect(activities.headers['content-type']).toBe('text/event-stream');
  let received = '';
  activities.setEncoding('utf8').on('data', (text) => {
    received += text;
  });

  await client.post('/v1/dogs/message-sync/barks');
  const location = header(await client.post('/v1/dogs/record-async/barks'), 'Location');
  const bark = location.split('/').at(-1);
  const post = { type: 'request', method: 'POST', user: 'dog-lover' };
  const expected = [
    { type: 'mail', to: ['message-sync@example.com'], subject: 'message-sync barked' },
    { ...post, path: '/v1/dogs/message-sync/barks', status: 200 },
    { ...post, path: '/v1/dogs/record-async/barks', status: 202, location },
    { type: 'workflow', execution: bark, input: { dog: 'record-async', bark } },
  ];
  await eventually(async () => {
    const events = [...received.matchAll(/^data: (.+)\n\n/gm)].map(([, data = '']) => JSON.parse(data));
    for (const event of expected) expect(events).toContainEqual(expect.objectContaining(event));
  });
  expect((await client.delete(location)).status).toBe(204);
});

test('the owner of the folder gets a new sign-in link', async () => {
  const { code, stdout } = await runCommand(directory, 'sign-in', '--json');
  const { status } = await fetch(JSON.parse(stdout).url, { redirect: 'manual' });
  expect([code, status]).toEqual([0, 303]);
});

test('the stream is open until the service stops', async () => {
  const closed = once(activities, 'close');
  expect(await endOf(service, () => service.signalGroup('SIGINT'))).toEqual({ code: 0, soon: true });
  await closed;
});
