import { signal } from '@preact/signals';
import type { BarkList, Dog } from '../../../client/index.ts';
import { documentOf, type Exchange, headerOf } from '../../shared/http/exchange.ts';
import { get, pathOf } from '../../shared/http/requests.ts';
import { send } from '../../shared/session.ts';
import { dogs } from '../dogs/dog-index.ts';
import { hasStream, observe } from '../feed/feed-source.ts';
import { isIdle, pollIntervalMs } from './poll-interval.ts';
import { Wake } from './wake.ts';

/** The dog that the console shows, as the console last read it. */
export interface OpenDog {
  readonly id: string;
  /** Absent until a read succeeds, and after a 404. */
  readonly dog?: Dog;
  readonly tag?: string | undefined;
  /** The exchange that led to this state. Absent until the first read ends. */
  readonly exchange?: Exchange;
}

export const openDog = signal<OpenDog | undefined>();

/** The shortest time between two reads, even after `refresh`. */
const minimumIntervalMs = 500;

const wake = new Wake();
let lastActivityAt = 0;

export function refresh(): void {
  lastActivityAt = Date.now();
  wake.wake();
}

/**
 * Keeps `openDog` up to date with conditional GETs, which transfer an unchanged dog only once. Polling stops while the page
 * is hidden, and slows down while the user is idle or reads fail.
 *
 * @param left aborts when the user leaves the dog's page
 */
export async function followDog(id: string, left: AbortSignal): Promise<void> {
  openDog.value = { id };
  lastActivityAt = Date.now();
  for (const event of ['pointerdown', 'keydown'])
    addEventListener(event, noticeUser, { signal: left, passive: true });
  document.addEventListener('visibilitychange', refresh, { signal: left });
  let failures = 0;
  do {
    if (document.hidden) continue;
    const update = dogs.beginUpdate(id);
    const exchange = await read(id);
    if (left.aborted) return;
    const isFailure = (exchange.response?.status ?? 503) >= 500;
    failures = isFailure ? failures + 1 : 0;
    show(id, exchange, update);
    await new Wake().wait(minimumIntervalMs, left);
  } while (await wake.wait(intervalMs(failures) - minimumIntervalMs, left));
}

/** Records that the user is active. If the user was idle, reads the dog at once, because an idle page reads rarely. */
function noticeUser(): void {
  if (isIdle(Date.now() - lastActivityAt)) refresh();
  else lastActivityAt = Date.now();
}

function intervalMs(failures: number): number {
  return pollIntervalMs({ idleMs: Date.now() - lastActivityAt, failures });
}

function read(id: string): Promise<Exchange> {
  const { tag } = openDog.value ?? {};
  const request = get(pathOf(id));
  const isFirst = openDog.value?.exchange === undefined;
  const headers = tag === undefined ? request.headers : { 'If-None-Match': tag };
  return send({ ...request, headers }, { isBackground: !isFirst });
}

function show(id: string, exchange: Exchange, update: (dog: Dog) => void): void {
  const { status } = exchange.response ?? {};
  if (status === 304) return;
  const known = openDog.value;
  if (status === 200) {
    if (known?.dog) lastActivityAt = Date.now();
    const dog = documentOf<Dog>(exchange);
    openDog.value = { id, dog, tag: headerOf(exchange, 'etag'), exchange };
    update(dog);
    void observeBarks(dog);
  } else if (status === 404 || !known?.dog) openDog.value = { id, exchange };
  if (status === 404 && known?.dog) dogs.remove(id);
}

const observedBarks = 20;

/** Passes the dog to the feed, with the dog's latest recorded barks if the service has no activity stream. */
async function observeBarks(dog: Dog): Promise<void> {
  if (hasStream.value || !dog.barkEffects.includes('record')) return observe({ dog });
  const request = get(`${pathOf(dog.id, 'barks')}?limit=${observedBarks}`);
  const exchange = await send(request, { isBackground: true });
  const barks = exchange.response?.status === 200 ? documentOf<BarkList>(exchange).barks : undefined;
  observe({ dog, ...(barks && { barks }) });
}
