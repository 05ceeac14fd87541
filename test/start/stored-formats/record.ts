import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@rest-actions/local-cloud/testing';
import { readCommandLine } from '../../../lib/command-line.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { install } from '../../../tools/install.ts';
import { newDirectory, startService } from '../../../tools/service.ts';
import { Client, documentOf, header } from '../../support/client.ts';
import { identitiesIn } from './identities.ts';
import { type Exchange, exchangeOf, type Recorded, type Sent } from './recorded.ts';
import { readStoredData } from './stored-data.ts';

const usage = `npm run check -- formats

Records the data that this version stores, and the responses to requests that depend on the data, in a file with the name of the
version. Run this program once for each release that changes a stored format.`;

readCommandLine(usage, {});

const directory = newDirectory();
// Express allows a window of at most 30 seconds, and the asynchronous barks must stay pending until the data has been read.
const service = await startService(directory, { settings: ['cancellationWindowSeconds=30'] });
try {
  const client = new Client(service.access);
  const now = Math.floor(Date.parse(header(await client.get('/v1/dogs'), 'Date')) / 1000);
  const since = new Date(now * 1000).toUTCString();

  const token = await fetch(`${client.baseUrl}/oauth2/v4/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: service.access.client_id ?? '',
      client_secret: service.access.client_secret ?? '',
      refresh_token: service.access.refresh_token ?? '',
    }),
  });
  const { access_token: accessToken } = (await token.json()) as { access_token: string };

  await client.put('/v1/dogs/rex/', {
    email: 'rex@example.com',
    owner: 'mailto:jane@example.com',
    barkEffects: ['emailDog', 'record'],
  });
  await client.put('/v1/dogs/max/', { barkEffects: ['count'] });
  await client.put('/v1/dogs/luna/', { barkEffects: ['record'], barkHandling: 'async' });

  const synchronous: Sent = {
    method: 'POST',
    path: '/v1/dogs/rex/barks',
    fields: { 'Idempotency-Key': '"recorded-1"' },
    body: { message: 'Good morning' },
  };
  const asynchronous: Sent = {
    method: 'POST',
    path: '/v1/dogs/luna/barks',
    fields: { 'Idempotency-Key': '"recorded-2"', Accept: 'application/json' },
  };
  const patch: Sent = {
    method: 'PATCH',
    path: '/v1/dogs/rex/',
    fields: { 'If-Unmodified-Since': since },
    body: { barks: { next: now + 3_600, frequency: 10 } },
  };
  const schedule: Sent = {
    method: 'POST',
    path: '/v1/dogs/max/bark-schedule',
    body: { token: 42, next: now + 7_200, frequency: 60 },
  };
  const first: Exchange[] = [];
  for (const sent of [synchronous, asynchronous, patch, schedule]) first.push(await exchangeOf(client, sent));
  for (let n = 0; n < 2; n++) await client.post('/v1/dogs/rex/barks');
  await client.post('/v1/dogs/max/bark');

  const cancelled = header(await client.post('/v1/dogs/luna/barks'), 'Location');
  await client.delete(cancelled);
  await client.put('/v1/dogs/bella/', {});
  await client.patch(
    '/v1/dogs/bella/',
    { barks: { next: now + 3_600, frequency: 10 } },
    { 'If-Unmodified-Since': new Date((now + 1) * 1000).toUTCString() },
  );
  await client.delete('/v1/dogs/bella/bark-schedule');

  // The bark is sent but not recorded, and the mail bounces. The service then suspends the address.
  await client.put('/v1/dogs/rocky/', { email: 'bounce@simulator.amazonses.com', barkEffects: ['emailDog'] });
  await client.post('/v1/dogs/rocky/barks');
  await eventually(async () => {
    const { text } = await client.get('/v1/dogs/rocky/');
    if (!text.includes('"suspended"')) throw new Error(`The address is not suspended: ${text}`);
  });

  const pending = (first[1]?.headers.Location ?? '').replace('BASE_URL', '');
  const firstPage = await client.get('/v1/dogs/rex/barks?limit=1');
  const [, secondPage = ''] = /<([^>]+)>; rel="next"/.exec(header(firstPage, 'Link')) ?? [];
  const reads = [
    ...['rex', 'max', 'luna', 'bella', 'rocky'].map((dog) => `/v1/dogs/${dog}/`),
    '/v1/dogs/rex/barks',
    secondPage,
    '/v1/dogs/rex/bark',
    '/v1/dogs/max/bark-schedule',
    '/v1/dogs/bella/bark-schedule',
    pending,
    cancelled,
  ].map((path): Sent => ({ method: 'GET', path: path.replace(client.baseUrl, '') }));

  const exchanges: Exchange[] = [];
  for (const sent of [synchronous, asynchronous, patch, schedule, ...reads])
    exchanges.push(await exchangeOf(client, sent));
  const { username, password, client_id, client_secret, refresh_token } = service.access;
  const recorded: Recorded = {
    version: manifest.version,
    recordedAt: now,
    access: { username, password, client_id, client_secret, refresh_token, accessToken },
    pendingBark: { dog: 'luna', bark: documentOf<{ id: string }>(await client.get(pending)).id },
    exchanges,
    data: await readStoredData(directory),
    stack: identitiesIn(join(directory, 'cdk.out')),
  };
  const file = join(import.meta.dirname, `${manifest.version}.json`);
  writeFileSync(file, `${JSON.stringify(recorded, undefined, 2)}\n`);
  const linters = join(import.meta.dirname, '../../../tools/lint');
  install(linters);
  const biome = join(linters, 'node_modules/@biomejs/biome/bin/biome');
  execFileSync(process.execPath, [biome, 'format', '--write', file], { stdio: 'inherit' });
  console.log(file);
} finally {
  await service.stop();
  rmSync(directory, { recursive: true });
}
