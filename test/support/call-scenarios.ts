import { join } from 'node:path';
import { createBark } from '../../lambdas/domain/barks/create.ts';
import { deleteDog as removeDog } from '../../lambdas/domain/dogs/delete.ts';
import type { Effect } from '../../lambdas/domain/dogs/dog.ts';
import { putDog as keepDog } from '../../lambdas/domain/dogs/put.ts';
import { readDog } from '../../lambdas/domain/dogs/read.ts';
import { handler as authorizer } from '../../lambdas/jobs/authorizer.ts';
import { handler as barkOnSchedule } from '../../lambdas/jobs/bark-on-schedule.ts';
import { handler as failBark } from '../../lambdas/jobs/fail-bark.ts';
import { handler as performBark } from '../../lambdas/jobs/perform-bark.ts';
import { handler as publishEvents } from '../../lambdas/jobs/publish-events.ts'; // @extension events
import { handler as purgeDog } from '../../lambdas/jobs/purge-dog.ts';
import { handler as refreshCredentials } from '../../lambdas/jobs/refresh-credentials.ts';
import { handler as suspendAddress } from '../../lambdas/jobs/suspend-address.ts';
import { context } from '../../tools/invocation.ts';
import { createAccess, type GrantedAccess, tokenRequestOf } from './access.ts';
import { authorizerEvent } from './authorizer-event.ts';
import { acceptBark } from './barks.ts';
import { recordCall } from './call-recorder.ts';
import { basic } from './client.ts';
import { currentContext as newContext } from './context.ts';
import { giveBarks, linkTokenOf, newDog } from './dogs.ts';
import { secrets, standingOf } from './faults.ts';
import { invokeRoute } from './invoke-route.ts';
import { bounceOf, removalOf } from './job-events.ts';
import { setLimits, type TestLimits } from './limits.ts';
import { synthesizedAssembly } from './of-worker.ts';
import { occurrenceOf } from './schedules.ts';
import { recordsOf, skipRecords } from './streams.ts'; // @extension events
import { waitsForBark, waitsForNewBark } from './waiting-scenarios.ts'; // @extension waiting

const { template, directory } = synthesizedAssembly();

const { fetch: realFetch } = globalThis;
const authUrl = 'https://dogs.example';

const minute = 60_000;
let now = Date.UTC(2026, 10, 21, 12, 30, 15);

export function setScene(): void {
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  for (const level of ['error', 'warn', 'info'] as const) jest.spyOn(console, level).mockReturnValue();
  const issued = async () => Response.json({ access_token: 'new', token_type: 'Bearer', expires_in: 3599 });
  // The reader of the streams also calls fetch.
  jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation((url, request) =>
      String(url).startsWith(authUrl) ? recordCall('(token endpoint)', issued) : realFetch(url, request),
    );
  process.env.CREDENTIALS = JSON.stringify([{ name: 'own', client: 'client', credential: 'credential' }]);
}

/** Prepares a case, and returns the action whose calls are counted. */
export type Scenario = () => Promise<() => Promise<unknown>>;

/** How many times each dog has barked, unless the scenario sets another number. */
let past = 0;

export function setPast(barks: number): void {
  past = barks;
}

async function aDog(handling: 'sync' | 'async', ...effects: Effect[]): Promise<string> {
  const dog = await newDog(handling, effects);
  await giveBarks(dog, past);
  return dog;
}

function send(name: string, dog: string, { bark_id, ...changes }: Changes = {}) {
  const pathParameters = { dog_id: dog, ...(bark_id && { bark_id }) };
  return invokeRoute(name, { pathParameters, ...changes });
}
type Changes = { bark_id?: string; headers?: Record<string, string>; body?: string };

/** Returns the scenario of an action on something that is prepared. */
const on =
  <Prepared>(prepare: () => Promise<Prepared>, act: (on: Prepared) => Promise<unknown>): Scenario =>
  async () => {
    const prepared = await prepare();
    return () => act(prepared);
  };

const request = (name: string, made: () => Promise<string>, changes: Changes = {}) =>
  on(made, (dog) => send(name, dog, changes));

const keyed: Changes = { headers: { 'Idempotency-Key': '"once"' } };

const bounce = (made: () => Promise<string>) =>
  on(
    async () => bounceOf(await readDog(await made(), newContext()), 'dog@example.com'),
    (event) => suspendAddress(event, context()),
  );

const subscription = (name: string, made: () => Promise<string>) =>
  on(
    async () => readDog(await made(), newContext()),
    (dog) => {
      const token = linkTokenOf(dog, ['dog@example.com']);
      return invokeRoute(name, { pathParameters: { dog_id: dog.id, token } });
    },
  );

const absentDog = async () => 'no-such-dog';

/** The dogs, by their number of barks. Read-only scenarios share them. */
const dogsWithBarks = new Map<number, Promise<string>>();
export const withBarks = (count: number) => () => {
  const made = dogsWithBarks.get(count) ?? newDogWith(count);
  dogsWithBarks.set(count, made);
  return made;
};
/** The ID has 14 characters, so that no page's size is near those at which DynamoDB charges for another read. */
const newDogWith = (count: number) => recordingDog(String(count).padStart(14, 'd'), count);

/** Creates a dog with the longest possible ID and the largest history entries: those of scheduled barks with mail. */
const withLargestEntries = () =>
  recordingDog('d'.repeat(40), 100, { mail: 'inProgress', claim: crypto.randomUUID() });

async function recordingDog(id: string, barks: number, more: object = {}): Promise<string> {
  const addresses = { email: undefined, owner: undefined };
  await keepDog(id, { ...addresses, barkEffects: ['record'], barkHandling: 'sync' }, {}, newContext());
  await giveBarks(id, barks, more);
  return id;
}

interface OfBark {
  readonly dog: string;
  readonly bark: string;
}

async function pendingBark(...effects: Effect[]): Promise<OfBark> {
  const dog = await aDog('async', ...effects);
  return { dog, bark: await acceptBark(dog, newContext()) };
}

async function cancelledBark(): Promise<OfBark> {
  const pending = await pendingBark('record');
  await send('DeleteBark', pending.dog, { bark_id: pending.bark });
  return pending;
}

async function recordedBark(): Promise<OfBark> {
  const dog = await aDog('sync', 'record');
  const outcome = await createBark(dog, {}, newContext());
  if (outcome.kind !== 'recorded') throw new Error(outcome.kind);
  return { dog, bark: outcome.bark.id };
}

const ofBark = (name: string, made: () => Promise<OfBark>) =>
  on(made, ({ dog, bark: bark_id }) => send(name, dog, { bark_id }));

const later = Math.floor(now / 1000) + 3_600;
const sendPatch = (dog: string, barks: object | null, since = now) =>
  send('PatchDog', dog, {
    headers: { 'If-Unmodified-Since': new Date(since).toUTCString() },
    body: JSON.stringify({ barks }),
  });
const sendSchedule = (dog: string, token: number, next: number, frequency: number) =>
  send('PostBarkSchedule', dog, { body: JSON.stringify({ token, next, frequency }) });

const patching = (made: () => Promise<string>, barks: object | null) =>
  on(made, (dog) => sendPatch(dog, barks));

const scheduling = (made: () => Promise<string>, token: number, next: number, frequency: number) =>
  on(made, (dog) => sendSchedule(dog, token, next, frequency));

/** Creates a dog that barks every ten minutes, starting now. */
async function scheduled(...effects: Effect[]): Promise<string> {
  const dog = await aDog('sync', ...effects);
  await sendSchedule(dog, 1, 0, 10);
  return dog;
}

const occurrence =
  (n: number, made: () => Promise<string>, before: (dog: string) => Promise<unknown> = absentDog): Scenario =>
  async () => {
    const dog = await made();
    const schedule = standingOf(dog);
    await before(dog);
    return () => barkOnSchedule(occurrenceOf(schedule, n), context());
  };

const ofWorkflow = (handler: typeof performBark | typeof failBark, made: () => Promise<OfBark>) =>
  on(made, (input) => handler(input, context()));

const purge = (made: () => Promise<string>) =>
  on(
    async () => {
      const dog = await readDog(await made(), newContext());
      await removeDog(dog.id, {}, newContext());
      return removalOf(dog);
    },
    (event) => purgeDog(event, context()),
  );

// @extension events {
/** Publishes the last change in the stream of a table, after a recorded bark. */
const publishing = (table: 'dogs' | 'barks') =>
  on(
    async () => {
      skipRecords();
      const { dog } = await recordedBark();
      return { Records: recordsOf(dog)[table].slice(-1) };
    },
    (event) => publishEvents(event, context()),
  );
// @extension events }

function authorize(authorization: string) {
  return authorizer(authorizerEvent({ Authorization: authorization }), context());
}

const grantee = () => createAccess(newContext);

const requestToken = (access: GrantedAccess) => invokeRoute('IssueToken', { body: tokenRequestOf(access) });

async function accessToken(): Promise<string> {
  const { access_token } = (await requestToken(await grantee())).json() as { access_token: string };
  return access_token;
}

const page =
  (name: string): Scenario =>
  async () => {
    const own = template.ofType('AWS::Lambda::Function').find((one) => one.name === name);
    process.env.LAMBDA_TASK_ROOT = join(directory, own?.properties.assetPath);
    return () => invokeRoute(name);
  };

/** Refreshes a credential that expires in the given number of seconds. */
const refresh =
  (secondsLeft: number): Scenario =>
  async () => {
    secrets.set('client', JSON.stringify({ auth_url: authUrl, client_id: 'walker', client_secret: 'hush' }));
    const created = Math.floor(now / 1000) + secondsLeft - 3599;
    const token = { access_token: 'old', token_type: 'Bearer', refresh_token: 'r' };
    secrets.set('credential', JSON.stringify({ ...token, expires_in: 3599, created }));
    return () => refreshCredentials({}, context());
  };

const limited =
  (scenario: Scenario, limits: TestLimits = { mailsPerDog: 60, mailsPerUser: 600 }): Scenario =>
  async () => {
    const act = await scenario();
    return async () => {
      setLimits(limits);
      return act().finally(() => setLimits(undefined));
    };
  };

const repeated =
  (scenario: Scenario): Scenario =>
  async () => {
    const act = await scenario();
    await act();
    return act;
  };

const record = () => aDog('sync', 'record');
const mail = () => aDog('sync', 'emailDog');
const mailAndRecord = () => aDog('sync', 'emailDog', 'record');
const asyncMail = () => aDog('async', 'emailDog', 'record');
const scheduledDog = () => scheduled('record');
const scheduledMail = () => scheduled('emailDog', 'record');
const pending = () => pendingBark('record');
const asyncDog = () => aDog('async', 'record');

/** The scenarios for the cases in `tools/calls.ts`, by function and case. */
export const scenarios: Record<string, Record<string, Scenario>> = {
  ListDogs: {
    '20 of 25 dogs': async () => {
      await Promise.all(Array.from({ length: 25 }, () => newDog('sync', ['record'])));
      return () => invokeRoute('ListDogs', { queryStringParameters: null });
    },
  },
  GetDog: {
    'has not barked': request('GetDog', withBarks(0)),
    '100 barks': request('GetDog', withBarks(100)),
    '10,000 barks': request('GetDog', withBarks(10_000)),
    '100 barks, the largest history entries': request('GetDog', withLargestEntries),
  },
  PutDog: {
    new: request('PutDog', async () => `new-${crypto.randomUUID().slice(0, 8)}`),
    replaced: request('PutDog', record),
    'If-Match, several tags': async () => {
      const dog = await record();
      const tag = String((await send('GetDog', dog)).headers?.ETag);
      const headers = { 'If-Match': `${tag.replace(/\.[0-9]+\./, '.0.')}, ${tag}` };
      return () => send('PutDog', dog, { headers });
    },
  },
  PatchDog: {
    'next later': patching(record, { next: later, frequency: 10 }),
    'next now': patching(record, { next: 0, frequency: 10 }),
    'next now, with mail': patching(mailAndRecord, { next: 0, frequency: 10 }),
    'next now, once': patching(record, { next: 0 }),
    'next now, replaces another': patching(scheduledDog, { next: 0, frequency: 5 }),
    'a repeat': repeated(patching(record, { next: 0, frequency: 10 })),
    'changes nothing': patching(record, {}),
    'ends the schedule': patching(scheduledDog, null),
    'dog changed after the date': on(scheduledDog, (dog) => sendPatch(dog, null, now - minute)),
  },
  DeleteDog: {
    'with or without a schedule': request('DeleteDog', scheduledDog),
  },
  PostBarks: {
    record: request('PostBarks', record),
    mail: request('PostBarks', mail),
    // @extension events {
    'mail, events are on': on(mail, (dog) => {
      process.env.PUBLISHES_EVENTS = 'true';
      return send('PostBarks', dog).finally(() => delete process.env.PUBLISHES_EVENTS);
    }),
    // @extension events }
    'mail and record': request('PostBarks', mailAndRecord),
    asynchronous: request('PostBarks', asyncDog),
    'asynchronous, with mail': request('PostBarks', asyncMail),
    'record, with a key': request('PostBarks', record, keyed),
    'record, key repeated': repeated(request('PostBarks', record, keyed)),
    'mail and record, with a key': request('PostBarks', mailAndRecord, keyed),
    'mail and record, key repeated': repeated(request('PostBarks', mailAndRecord, keyed)),
    'asynchronous, with a key': request('PostBarks', asyncDog, keyed),
    'asynchronous, waits until complete': waitsForNewBark(asyncDog, true), // @extension waiting
    'asynchronous, waits 6 seconds in vain': waitsForNewBark(asyncDog, false), // @extension waiting
    'record, limits of barks': limited(request('PostBarks', record), {
      barksPerDog: 1000,
      barksPerUser: 1000,
    }),
    'mail, limits of mails': limited(request('PostBarks', mail)),
    'mail and record, limits of mails': limited(request('PostBarks', mailAndRecord)),
    'mail, over the limit': repeated(limited(request('PostBarks', mailAndRecord), { mailsPerDog: 1 })),
  },
  ListBarks: {
    '20 of 10,000 barks': request('ListBarks', withBarks(10_000)),
  },
  GetBark: {
    recorded: ofBark('GetBark', recordedBark),
    pending: ofBark('GetBark', pending),
    'pending, waits until complete': waitsForBark(pending), // @extension waiting
  },
  DeleteBark: {
    pending: ofBark('DeleteBark', pending),
    'already cancelled': repeated(ofBark('DeleteBark', pending)),
  },
  PostBarkSchedule: {
    'next now': scheduling(record, 1, 0, 10),
    'next now, replaces another': scheduling(scheduledDog, 2, 0, 10),
    'a repeat': scheduling(scheduledDog, 1, 0, 10),
    'a used token': scheduling(scheduledDog, 1, 0, 5),
  },
  GetBarkSchedule: {
    'has a schedule': request('GetBarkSchedule', scheduledDog),
  },
  DeleteBarkSchedule: {
    'has a schedule': request('DeleteBarkSchedule', scheduledDog),
    'already deleted': repeated(request('DeleteBarkSchedule', scheduledDog)),
  },
  PostLastBark: {
    record: request('PostLastBark', record),
    mail: request('PostLastBark', mail),
    asynchronous: request('PostLastBark', asyncDog),
  },
  GetLastBark: {
    '10,000 barks': request('GetLastBark', withBarks(10_000)),
  },
  DeleteLastBark: { 'does nothing': request('DeleteLastBark', record) },
  GetMailSubscription: {
    'a link': subscription('GetMailSubscription', record),
  },
  PostMailSubscription: {
    'a link': subscription('PostMailSubscription', record),
  },
  IssueToken: {
    'signing key known': repeated(on(grantee, requestToken)),
    'signing key unknown': async () => {
      const right = await grantee();
      now += 10 * minute;
      return () => requestToken(right);
    },
  },
  GetKeys: { 'all keys': async () => () => invokeRoute('GetKeys') },
  GetConsole: { 'the page': page('GetConsole') }, // @extension console
  GetOpenApi: { 'the description': page('GetOpenApi') },
  GetDocs: { 'the page': page('GetDocs') }, // @extension docs
  Fallback: { 'no such path': async () => () => invokeRoute('Fallback') },
  Authorizer: {
    'a password': on(grantee, ({ password }) => authorize(basic('jane', password))),
    'a token, keys known': repeated(on(accessToken, (token) => authorize(`Bearer ${token}`))),
    'a token, keys unknown': async () => {
      const token = await accessToken();
      now += 10 * minute;
      return () => authorize(`Bearer ${token}`);
    },
  },
  BarkOnSchedule: {
    record: occurrence(1, scheduledDog),
    'mail and record': occurrence(1, scheduledMail),
    'delivered twice': repeated(occurrence(1, scheduledDog)),
    'a replaced schedule': occurrence(1, scheduledDog, async (dog) => {
      await sendSchedule(dog, 2, 0, 10);
      now += 2 * minute;
    }),
    'a deleted dog': occurrence(1, scheduledDog, async (dog) => {
      await removeDog(dog, {}, newContext());
      now += 2 * minute;
    }),
  },
  PerformBark: {
    record: ofWorkflow(performBark, pending),
    mail: ofWorkflow(performBark, () => pendingBark('emailDog')),
    'mail and record': ofWorkflow(performBark, () => pendingBark('emailDog', 'record')),
    'already cancelled': ofWorkflow(performBark, cancelledBark),
  },
  FailBark: {
    pending: ofWorkflow(failBark, pending),
  },
  SuspendAddress: {
    'a bounce': bounce(record),
    'delivered twice': repeated(bounce(record)),
  },
  PurgeDog: {
    'never barked': purge(() => newDog('sync', ['record'])),
    'a schedule and 2 items': purge(scheduledDog),
    '100 items': purge(() => newDogWith(100)),
  },
  // @extension events {
  PublishEvents: {
    'a bark': publishing('barks'),
    'a dog that barked': publishing('dogs'),
  },
  // @extension events }
  RefreshCredentials: {
    'enough time left': refresh(41 * 60),
    'refreshed, every 20 minutes': refresh(39 * 60),
  },
};
