import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Answer,
  type Bark,
  type Dog,
  documentOf,
  eventually,
  header,
  nextOf,
} from '../support/client.ts';
import { type Ask, type Dogs, type LoadDog, PassingDog, type RestlessDog } from './dogs.ts';
import { outcomeOf } from './journal.ts';
import { notesOf } from './stored.ts';
import { persistence, type Request, type Target } from './target.ts';

/** How many clients there are at once. */
const clients = 8;

/** How often a client repeats what was acknowledged and counts once, and how often it prefers to be answered at once. */
const repeats = 0.5;
const prefersAsync = 0.15;

/** The frequency of a schedule that is to bark once while the load lasts, in minutes: more than a day, and none twice. */
let frequency = 2_000;

/** What tells a bark's mail, and a token, from all others. */
let serial = 0;

interface Scene {
  readonly target: Target;
  readonly dogs: Dogs;
}

/** What clients do, and how often beside the rest. */
const activities: readonly (readonly [number, (scene: Scene) => Promise<unknown>])[] = [
  [16, getDog],
  [3, ({ target, dogs }) => get(target, `${anyOf(allOf(dogs)).path}bark`, 'GET bark', [200, 404])],
  [3, ({ target, dogs }) => get(target, `${anyOf(scheduled(dogs)).path}bark-schedule`, 'GET bark-schedule')],
  [3, ({ target }) => get(target, '/v1/dogs/?limit=10', 'GET dogs')],
  [4, ({ target, dogs }) => get(target, `${anyOf(allOf(dogs)).path}barks?limit=20`, 'GET barks')],
  [8, getBark],
  [24, ({ target, dogs }) => postBark(target, anyOf(dogs.barking), { to: 'barks' })],
  [8, ({ target, dogs }) => postBark(target, anyOf(dogs.barking), { to: 'bark' })],
  [6, ({ target, dogs }) => postBark(target, anyOf(mute(dogs)), { to: 'barks', keyed: true })],
  [2, ({ target, dogs }) => postBark(target, anyOf(mute(dogs)), { to: 'bark', keyed: true })],
  [4, cancelBark],
  [4, ({ target, dogs }) => put(target, anyOf(allOf(dogs)))],
  [4, ({ target, dogs }) => patch(target, anyOf(dogs.restless))],
  [4, ({ target, dogs }) => postSchedule(target, anyOf(dogs.restless))],
  [2, liveAndDie],
  [2, exchangeToken],
  [2, ({ target }) => get(target, '/v1/dogs/nobody/', 'GET of no dog', [404])],
  [2, refuse],
];

/** Lets clients do what they like, until it has ended. */
export async function act(scene: Scene, ended: AbortSignal): Promise<void> {
  const loop = async () => {
    while (!ended.aborted) await chosen()(scene);
  };
  await Promise.all(Array.from({ length: clients }, loop));
}

function chosen() {
  let left = Math.random() * activities.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, activity] of activities) {
    left -= weight;
    if (left < 0) return activity;
  }
  return getDog;
}

function anyOf<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}

function scheduled({ steady, restless }: Dogs): readonly LoadDog[] {
  return [...steady, ...restless];
}

/** The dogs without mail: a repeat of a request with a key may send one more, and the account knows of none. */
function mute({ barking }: Dogs): readonly LoadDog[] {
  return barking.filter(({ sendsMail }) => !sendsMail);
}

function allOf(dogs: Dogs): readonly LoadDog[] {
  return [...dogs.barking, ...scheduled(dogs)];
}

function get(target: Target, path: string, route: string, expected: readonly number[] = [200]) {
  return target.send({ route, method: 'GET', path, expected });
}

function getDog({ target, dogs }: Scene) {
  return get(target, anyOf(allOf(dogs)).path, 'GET dog');
}

async function getBark({ target, dogs }: Scene): Promise<void> {
  const dog = anyOf(dogs.barking);
  const known = dog.asks.filter(({ bark }) => bark !== undefined);
  if (known.length > 0)
    await get(target, `${dog.path}barks/${anyOf(known).bark}`, 'GET bark of barks', [200, 303]);
}

interface HowToBark {
  readonly to: 'bark' | 'barks';
  readonly later?: boolean;
  /** True for a request with a key, which is sent until it is known what became of it, and perhaps once more. */
  readonly keyed?: boolean;
}

/** Makes a dog bark, and keeps what came of it. */
async function postBark(
  target: Target,
  dog: LoadDog,
  { to, later = Math.random() < prefersAsync, keyed = false }: HowToBark,
): Promise<Ask> {
  const message = `The bark number ${++serial}.`;
  const isLater = later || dog.settings.barkHandling === 'async';
  const request = {
    route: `POST ${to}${isLater ? ', async' : ''}${keyed ? ', with a key' : ''}`,
    method: 'POST',
    path: `${dog.path}${to}`,
    body: dog.sendsMail ? { message } : undefined,
    fields: {
      ...(later && { Prefer: 'respond-async' }),
      ...(keyed && { 'Idempotency-Key': `"${serial}"` }),
    },
    expected: [isLater ? 202 : statusOfBark(dog, to)],
  };
  const answer = await (keyed ? target.insist(request) : target.send(request));
  const ask = {
    message,
    outcome: outcomeOf(answer?.status),
    later: isLater,
    noted: dog.isCounted || to === 'bark',
    bark: answer && idIn(answer),
  };
  dog.asks.push(ask);
  if (keyed && Math.random() < repeats) await repeatBark(target, request, ask);
  return ask;
}

/** Sends a request with a key once more: the answer leads to the bark that was made. */
async function repeatBark(target: Target, request: Request, { bark }: Ask): Promise<void> {
  const again = await target.send({ ...request, route: 'POST bark or barks, repeated' });
  if (again && again.status < 500 && idIn(again) !== bark)
    target.surprises.push(`${request.path} made the bark ${idIn(again)} of a key that had made ${bark}.`);
}

function statusOfBark({ isRecorded, isCounted }: LoadDog, to: 'bark' | 'barks'): number {
  if (to === 'bark' || isRecorded) return 201;
  return isCounted ? 303 : 200;
}

/** The id of the bark that an answer leads to. */
function idIn(answer: Answer): string | undefined {
  return /\/barks\/(\w+)/.exec(`${header(answer, 'Location')} ${header(answer, 'Link')}`)?.[1];
}

/** Cancels a bark of its own, at once or when it may have begun. */
async function cancelBark({ target, dogs }: Scene): Promise<void> {
  const dog = anyOf(dogs.barking);
  const ask = await postBark(target, dog, { to: 'barks', later: true });
  if (ask.bark === undefined) return;
  await sleep(Math.random() * 2_500);
  const answer = await target.send({
    route: 'DELETE bark of barks',
    method: 'DELETE',
    path: `${dog.path}barks/${ask.bark}`,
    expected: [204, 409],
  });
  ask.cancelled = answer?.status === 204;
}

function put(target: Target, { path, settings }: LoadDog, expected: readonly number[] = [204]) {
  return target.insist({ route: 'PUT dog', method: 'PUT', path, body: settings, expected });
}

/** Has a dog bark at once by a PATCH, which is repeated until it is known what became of it, and once more. */
async function patch(target: Target, dog: RestlessDog): Promise<void> {
  const request = {
    route: 'PATCH dog',
    method: 'PATCH',
    path: dog.path,
    body: { barks: { next: 0, frequency: ++frequency } },
    fields: { 'If-Unmodified-Since': new Date().toUTCString() },
  };
  // 403: other clients have changed the dog since.
  const first = await target.send({ ...request, expected: [205, 403] });
  const isKnown = first && first.status < 500;
  if (!isKnown) dog.unknown += 1;
  const { status } = isKnown ? first : await target.insist({ ...request, expected: [204, 205, 403] });
  if (status === 403) return;
  dog.applied += 1;
  if (Math.random() < repeats)
    await target.send({ ...request, route: 'PATCH dog, repeated', expected: [204] });
}

/** The same by POST of a bark schedule with a token. */
async function postSchedule(target: Target, dog: RestlessDog): Promise<void> {
  const request = {
    route: 'POST bark-schedule',
    method: 'POST',
    path: `${dog.path}bark-schedule`,
    body: { token: ++serial, next: 0, frequency: ++frequency },
    expected: [205],
  };
  const first = await target.send(request);
  if (!first || first.status >= 500) {
    dog.unknown += 1;
    await target.insist(request);
  }
  dog.applied += 1;
  if (Math.random() < repeats) await target.send({ ...request, route: 'POST bark-schedule, repeated' });
}

/** Makes a dog under an id that others had before, lets it bark, closes its account, and deletes it. */
async function liveAndDie({ target, dogs: { free, gone } }: Scene): Promise<void> {
  const id = free.pop();
  if (id === undefined) return;
  const dog = new PassingDog(id, ['record']);
  const ask = (path: string, expected: readonly number[]) =>
    target.insist({ route: 'GET passing dog', method: 'GET', path, expected });
  await put(target, dog, [201, 204]);
  const { barkCount } = documentOf<Dog>(await ask(dog.path, [200]));
  if (barkCount !== 0) target.surprises.push(`The new dog ${id} had barked ${barkCount} times.`);
  for (let n = Math.random() * 8; n > 0; n--) await postBark(target, dog, { to: 'barks', later: false });
  const shown = await ask(dog.path, [200]);
  const { barkCount: count, barking } = documentOf<Dog>(shown);
  const listed: string[] = [];
  for (let path: string | undefined = `${dog.path}barks?limit=5`; path; ) {
    const page: Answer = await ask(path, [200]);
    listed.push(...documentOf<{ barks: Bark[] }>(page).barks.map((bark) => bark.id));
    path = pathOf(nextOf(page));
  }
  const notes = await eventually(() => notesOf(target, dog), { deadline: persistence });
  dog.stored = {
    barking,
    count,
    notes: notes.filter(({ incarnation }) => incarnation === lifeIn(shown)),
    listed,
  };
  await target.insist({ route: 'DELETE dog', method: 'DELETE', path: dog.path, expected: [204, 404] });
  await ask(dog.path, [404]);
  gone.push(dog);
  free.push(id);
}

/** The incarnation that the tag of a dog names. */
function lifeIn(answer: Answer): string | undefined {
  return /^"(\w+)\./.exec(header(answer, 'ETag'))?.[1];
}

/** The path of a URL that a service gave, which may have another address by now. */
function pathOf(url: string | undefined): string | undefined {
  return url?.replace(/^https?:\/\/[^/]+/, '');
}

/** Exchanges the refresh token, and calls with what that yields. */
async function exchangeToken({ target, dogs }: Scene): Promise<void> {
  const { client_id, client_secret, refresh_token } = target.access;
  const answer = await target.send({
    route: 'POST token',
    method: 'POST',
    path: '/oauth2/v4/token',
    body: { grant_type: 'refresh_token', client_id, client_secret, refresh_token },
    fields: { Authorization: '' },
    expected: [200],
  });
  if (answer?.status !== 200) return;
  const { access_token } = documentOf<{ access_token: string }>(answer);
  await target.send({
    route: 'GET dog, Bearer',
    method: 'GET',
    path: anyOf(allOf(dogs)).path,
    fields: { Authorization: `Bearer ${access_token}` },
    expected: [200],
  });
}

/** Asks with a password that is wrong. */
function refuse({ target, dogs }: Scene) {
  const Authorization = `Basic ${Buffer.from('dog-lover:wrong').toString('base64')}`;
  const { path } = anyOf(dogs.barking);
  return target.send({
    route: 'POST barks, wrong password',
    method: 'POST',
    path: `${path}barks`,
    fields: { Authorization },
    expected: [401],
  });
}
