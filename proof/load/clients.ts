import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@rest-actions/local-cloud/testing';
import { type ApiResponse, header } from '../../test/support/client.ts';
import { type BarkAttempt, type Dogs, LoadDog } from './dogs.ts';
import { outcomeOf } from './journal.ts';
import { storedOf } from './stored.ts';
import { type Request, retryTimeoutMs, type Target } from './target.ts';

const clients = 8;

/** The share of acknowledged idempotent requests that a client repeats. */
const repeatShare = 0.5;
/** The share of barks for which a client prefers asynchronous handling. */
const preferAsyncShare = 0.15;

/** The last frequency, in minutes. Each schedule has a new one. It is over a day, so that the dog barks only once under load. */
let frequency = 2_000;

/** Makes emails and tokens unique. */
let serial = 0;

interface Scene {
  readonly target: Target;
  readonly dogs: Dogs;
}

/** The activities of the clients, with their weights. */
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
  [2, createAndDelete],
];

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

/**
 * Returns the dogs without mail. The others are unsuitable for requests with a key: if the service is killed while it sends the mail,
 * a repeat gets 409 for a minute, and the outcome stays unknown.
 */
function mute({ barking }: Dogs): readonly LoadDog[] {
  return barking.filter(({ sendsMail }) => !sendsMail);
}

function allOf(dogs: Dogs): readonly LoadDog[] {
  return [...dogs.barking, ...scheduled(dogs)];
}

function get(target: Target, path: string, route: string, expected = [200]) {
  return target.send({ route, method: 'GET', path, expected });
}

function getDog({ target, dogs }: Scene) {
  return get(target, anyOf(allOf(dogs)).path, 'GET dog');
}

async function getBark({ target, dogs }: Scene): Promise<void> {
  const dog = anyOf(dogs.barking);
  const known = dog.attempts.filter(({ bark }) => bark !== undefined);
  if (known.length > 0)
    await get(target, `${dog.path}barks/${anyOf(known).bark}`, 'GET barks/{id}', [200, 303]);
}

interface HowToBark {
  readonly to: 'bark' | 'barks';
  readonly isAsync?: boolean;
  /** True for a request with a key. The client repeats it until the outcome is known, and possibly once more. */
  readonly keyed?: boolean;
}

async function postBark(
  target: Target,
  dog: LoadDog,
  { to, isAsync: prefersAsync = Math.random() < preferAsyncShare, keyed = false }: HowToBark,
): Promise<BarkAttempt> {
  const message = `The bark number ${++serial}.`;
  const isAsync = prefersAsync || dog.settings.barkHandling === 'async';
  const request = {
    route: `POST ${to}${isAsync ? ', async' : ''}${keyed ? ', with a key' : ''}`,
    method: 'POST',
    path: `${dog.path}${to}`,
    body: dog.sendsMail ? { message } : undefined,
    fields: {
      ...(prefersAsync && { Prefer: 'respond-async' }),
      ...(keyed && { 'Idempotency-Key': `"${serial}"` }),
    },
    expected: [isAsync ? 202 : statusOfBark(dog, to)],
  };
  const response = await (keyed ? target.insist(request) : target.send(request));
  const attempt = {
    message,
    outcome: outcomeOf(response?.status),
    isAsync,
    inHistory: dog.isCounted || to === 'bark',
    bark: response && idIn(response),
  };
  dog.attempts.push(attempt);
  if (keyed && Math.random() < repeatShare) await repeatBark(target, request, attempt);
  return attempt;
}

/** Repeats a request with a key, and checks that the response names the same bark. */
async function repeatBark(target: Target, request: Request, { bark }: BarkAttempt): Promise<void> {
  const again = await target.send({ ...request, route: 'POST bark or barks, repeated' });
  if (again && again.status < 500 && idIn(again) !== bark)
    target.surprises.push(
      `${request.path} created the bark ${idIn(again)} with a key that had created ${bark}.`,
    );
}

function statusOfBark({ isRecorded, isCounted }: LoadDog, to: 'bark' | 'barks'): number {
  if (to === 'bark' || isRecorded) return 201;
  return isCounted ? 303 : 200;
}

function idIn(response: ApiResponse): string | undefined {
  return /\/barks\/(\w+)/.exec(`${header(response, 'Location')} ${header(response, 'Link')}`)?.[1];
}

/** Creates an asynchronous bark, and cancels it immediately or when it may be in progress. */
async function cancelBark({ target, dogs }: Scene): Promise<void> {
  const dog = anyOf(dogs.barking);
  const attempt = await postBark(target, dog, { to: 'barks', isAsync: true });
  if (attempt.bark === undefined) return;
  await sleep(Math.random() * 2_500);
  const response = await target.send({
    route: 'DELETE barks/{id}',
    method: 'DELETE',
    path: `${dog.path}barks/${attempt.bark}`,
    expected: [204, 409],
  });
  attempt.cancelled = response?.status === 204;
}

function put(target: Target, { path, settings }: LoadDog, expected: readonly number[] = [204]) {
  return target.insist({ route: 'PUT dog', method: 'PUT', path, body: settings, expected });
}

function patch(target: Target, dog: LoadDog): Promise<void> {
  const request = {
    route: 'PATCH dog',
    method: 'PATCH',
    path: dog.path,
    body: { barks: { next: 0, frequency: ++frequency } },
    fields: { 'If-Unmodified-Since': new Date().toUTCString() },
    // The status is 403 if other clients have changed the dog since.
    expected: [205, 403],
  };
  return barkNow(target, dog, request, [204]);
}

function postSchedule(target: Target, dog: LoadDog): Promise<void> {
  const request = {
    route: 'POST bark-schedule',
    method: 'POST',
    path: `${dog.path}bark-schedule`,
    body: { token: ++serial, next: 0, frequency: ++frequency },
    expected: [205],
  };
  return barkNow(target, dog, request, [205]);
}

/** Sets a schedule that makes the dog bark now. @param repeated the statuses of a repeat without effect */
async function barkNow(
  target: Target,
  dog: LoadDog,
  request: Request,
  repeated: readonly number[],
): Promise<void> {
  const first = await target.send(request);
  const isKnown = first && first.status < 500;
  if (!isKnown) dog.unknown += 1;
  const expected = [...request.expected, ...repeated];
  const { status } = isKnown ? first : await target.insist({ ...request, expected });
  if (status === 403) return;
  dog.schedules += 1;
  if (Math.random() < repeatShare)
    await target.send({ ...request, route: `${request.route}, repeated`, expected: repeated });
}

/** Creates a dog with the ID of earlier dogs, makes it bark, reads its state, and deletes it. */
async function createAndDelete({ target, dogs: { free, gone } }: Scene): Promise<void> {
  const id = free.pop();
  if (id === undefined) return;
  const dog = new LoadDog(id, ['record']);
  await put(target, dog, [201, 204]);
  for (let n = Math.random() * 8; n > 0; n--) await postBark(target, dog, { to: 'barks', isAsync: false });
  dog.stored = await eventually(() => storedOf(target, dog), { deadline: retryTimeoutMs });
  const { path } = dog;
  await target.insist({ route: 'DELETE dog', method: 'DELETE', path, expected: [204, 404] });
  await target.insist({ route: 'GET deleted dog', method: 'GET', path, expected: [404] });
  gone.push(dog);
  free.push(id);
}
