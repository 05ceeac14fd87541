import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { shortPath } from '../../bin/start/paths.ts';
import type { Access } from '../../tools/service.ts';
import { allOf, type Dog, dogAt, sendRaw } from '../support/client.ts';
import {
  client,
  databasesOn,
  endOf,
  launch,
  linesOf,
  modeOf,
  readJson,
  restart,
  run,
  service,
  temporaryDirectory,
  verboseStart,
} from './support.ts';

const hasCurl = !spawnSync('curl', ['--version']).error;
if (!hasCurl) console.log('skipped: the printed curl command, because there is no curl');

/** A folder that does not exist yet. Its name contains a space, which a shell treats as a separator. */
const directory = join(temporaryDirectory(), 'my dogs');
const shown = shortPath(directory);

beforeAll(() => restart(directory, { settings: [], command: verboseStart, ownGroup: true }));

describe('the first start', () => {
  test('prints the URLs, the user, the file that has the password, and a command to copy', () => {
    const { base_url, username } = service.access;
    expect(base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const [, inboxOrigin = ''] = /Inbox +(\S+)\n/.exec(service.output()) ?? [];
    expect(new URL('/', service.access.mail_url).origin).toBe(new URL(inboxOrigin).origin);
    expect(linesOf(service.output()).filter((line) => !/^\d\d:\d\d:\d\d /.test(line))).toEqual([
      'Synthesizing the stack and starting its emulators …',
      'Creating the first user and the first dogs …',
      expect.stringMatching(new RegExp(`^Dog service ready at ${base_url} in \\d+\\.\\d s$`)),
      // @extension console {
      `  Console   ${base_url}/`,
      expect.stringMatching(/^ {2}Sign in {3}http:\/\/127\.0\.0\.1:\d+\/sign-in\/[\w-]{22} \(once\)$/),
      // @extension console }
      `  API docs  ${base_url}/docs`, // @extension docs
      `  Inbox     ${inboxOrigin}`,
      `  User      ${username} (password in ${join(shown, 'access.json')})`,
      'Make a dog bark:',
      `  curl -iK '${join(shown, 'curlrc')}' -X POST ${base_url}/v1/dogs/record-sync/barks`,
      'Press Ctrl-C to stop.',
    ]);
  });

  test('writes an access.json with everything that a client needs, which only its owner can read', () => {
    expect(modeOf(join(directory, 'access.json'))).toBe(0o600);
    const access = readJson<Access>(directory, 'access.json');
    expect(Object.keys(access).sort()).toEqual([
      'auth_url',
      'base_url',
      'client_id',
      'client_secret',
      'mail_url',
      'password',
      'refresh_token',
      'username',
    ]);
    expect(access.auth_url).toBe(access.base_url);
    const { password, client_secret, refresh_token } = access;
    for (const secret of [password, client_secret, refresh_token]) expect(secret).toMatch(/^[\w-]{43,}$/); // 256 bits
    expect(new Set([password, client_secret, refresh_token]).size).toBe(3);
  });

  test('creates a dog for each case of the specification', async () => {
    const dogs = await allOf<Dog>(client, '/v1/dogs/');
    const cases = Object.fromEntries(
      dogs.map(({ id, barkEffects, barkHandling }) => [id, [...barkEffects, barkHandling]]),
    );
    expect(cases).toEqual({
      'message-sync': ['emailDog', 'sync'],
      'message-async': ['emailDog', 'async'],
      'count-sync': ['count', 'sync'],
      'count-async': ['count', 'async'],
      'record-sync': ['record', 'sync'],
      'record-async': ['record', 'async'],
      'notify-owner': ['emailOwner', 'async'],
    });
  });
});

(hasCurl ? test : test.skip)('the printed command makes the dog bark when it is pasted', async () => {
  const command = linesOf(service.output()).find((line) => line.startsWith('  curl ')) ?? '';
  const { code, stdout } = await run('sh', ['-c', command]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^HTTP\/1\.1 201 /)]);
  expect((await dogAt(client, '/v1/dogs/record-sync/')).barkCount).toBe(1);
});

test('each request has a line with its status, and a problem has its detail', async () => {
  await client.get('/v1/dogs/unknown/');
  await service.says(/→ .*"unknown"/);
  expect(service.output()).toMatch(
    /^\d\d:\d\d:\d\d 404 +\d+ ms GET +\/v1\/dogs\/unknown\/\n +→ .*"unknown".*\n/m,
  );
});

test('other users of the machine cannot read the data of the service', async () => {
  await client.put('/v1/dogs/mailing', { email: 'mailing@example.com', barkEffects: ['emailDog'] });
  await client.post('/v1/dogs/mailing/barks');
  expect(modeOf(directory)).toBe(0o700);
  const names = readdirSync(directory, { recursive: true }).map(String);
  expect(names).toEqual(
    expect.arrayContaining(['access.json', 'dynamodb.sqlite', 'mails.jsonl', 'logs/PutDog.log']),
  );
  // The synthesized template is not secret, so its files keep the modes that they have in the project.
  const kept = names.filter((name) => !name.startsWith('cdk.out/'));
  expect(kept.filter((name) => (modeOf(join(directory, name)) & 0o077) !== 0)).toEqual([]);
});

test('a second start on the same folder is refused, names the first and the command for another, and does not affect the first', async () => {
  const databases = databasesOn(directory);
  const second = launch(directory);
  expect(await second.exited).toBe(1);
  expect(linesOf(second.output())).toEqual([
    `The service is already running at ${client.baseUrl} (process ${service.process.pid}).`,
    'To start another one beside it, run:',
    expect.stringMatching(/^ {2}DATA_DIR='.*my dogs-(\d+)' PORT=\1 npm start -- --quiet/),
  ]);
  expect(databasesOn(directory)).toEqual(databases);
  expect((await client.get('/v1/dogs/')).status).toBe(200);
});

describe('A service that is stopped with Ctrl-C and restarted', () => {
  const account = async () => ({
    access: { ...service.access, base_url: '', auth_url: '', mail_url: '' },
    dogs: (await allOf<Dog>(client, '/v1/dogs/?limit=3')).filter(({ id }) => id !== 'max'),
    barks: (await client.get('/v1/dogs/record-sync/barks')).text.replaceAll(client.baseUrl, ''),
    rex: await dogAt(client, '/v1/dogs/rex/'),
    mails: (await sendRaw(service.access.mail_url ?? '')).text,
  });
  let before: Awaited<ReturnType<typeof account>>;
  let responded: number[];

  beforeAll(async () => {
    await client.put('/v1/dogs/rex/', { email: 'rex@example.com', barkEffects: ['emailDog', 'record'] });
    await client.post('/v1/dogs/rex/barks', { message: 'before the night' });
    await client.delete('/v1/dogs/notify-owner/');
    before = await account();
    expect(before.mails).toContain('before the night');
  });

  test('exits with code 0 after the requests in progress, and leaves no database process', async () => {
    await client.put('/v1/dogs/max/', {});
    const request = { method: 'POST', fields: { Authorization: client.authorization } };
    const sent = Array.from({ length: 40 }, () => sendRaw(client.urlOf('/v1/dogs/max/barks'), request));
    await Promise.race(sent);
    expect(await endOf(service, () => service.signalGroup('SIGINT'))).toEqual({ code: 0, soon: true });
    expect(databasesOn(directory)).toEqual([]);
    const outcomes = await Promise.allSettled(sent);
    responded = outcomes.flatMap((outcome) => ('value' in outcome ? outcome.value.status : []));
    expect(new Set(responded)).toEqual(new Set([201]));
    expect(linesOf(service.output()).at(-1)).toBe(`Stopped. All state is in ${shown}.`);
  });

  test('keeps its credentials, dogs, barks, counts and mails, and creates no dog again that its user deleted', async () => {
    await restart(directory);
    expect(await account()).toEqual(before);
    expect((await dogAt(client, '/v1/dogs/max/')).barkCount).toBe(responded.length);
    expect(databasesOn(directory)).toHaveLength(1);
  });
});
