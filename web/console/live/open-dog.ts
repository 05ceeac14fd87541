import { signal } from '@preact/signals';
import type { Dog } from '../../../client/index.ts';
import { documentOf, type Exchange, headerOf } from '../../shared/http/exchange.ts';
import { get, pathOf } from '../../shared/http/requests.ts';
import { removeListedDog, updateListedDog } from '../dogs/dog-index.ts';
import { send } from '../send.ts';
import { repeat } from './repeat.ts';

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

const activeIntervalMs = 1_500;
const idleIntervalMs = 15_000;
const idleAfterMs = 300_000;
const maxRetryIntervalMs = 30_000;

let lastInputAt = 0;

/** Keeps `openDog` up to date. Reads slow down while the user is idle or reads fail. @returns a function that ends this */
export function followDog(id: string): () => void {
  openDog.value = { id };
  const following = new AbortController();
  lastInputAt = Date.now();
  const noticeUser = () => {
    // An idle page reads rarely.
    if (isIdle()) void readDog();
    lastInputAt = Date.now();
  };
  for (const event of ['pointerdown', 'keydown'])
    addEventListener(event, noticeUser, { signal: following.signal, passive: true });
  let failures = 0;
  const end = repeat(async () => {
    const exchange = await readDog();
    failures = (exchange?.response?.status ?? 503) >= 500 ? failures + 1 : 0;
    if (failures > 0) return Math.min(activeIntervalMs * 2 ** failures, maxRetryIntervalMs);
    return isIdle() ? idleIntervalMs : activeIntervalMs;
  });
  return () => {
    end();
    following.abort();
    // The dog may change before the user returns.
    openDog.value = undefined;
  };
}

function isIdle(): boolean {
  return Date.now() - lastInputAt >= idleAfterMs;
}

/** Reads the open dog with a conditional GET, which transfers an unchanged dog only once. */
export async function readDog(): Promise<Exchange | undefined> {
  const before = openDog.peek();
  if (!before) return undefined;
  const { id, tag } = before;
  const headers = tag === undefined ? {} : { 'If-None-Match': tag };
  const exchange = await send({ ...get(pathOf(id)), headers });
  // The user may have left the dog during the request.
  if (openDog.peek()?.id === id) show(id, exchange);
  return exchange;
}

function show(id: string, exchange: Exchange): void {
  const { status } = exchange.response ?? {};
  const hasDog = openDog.peek()?.dog !== undefined;
  if (status === 200) {
    const dog = documentOf<Dog>(exchange);
    openDog.value = { id, dog, tag: headerOf(exchange, 'etag'), exchange };
    updateListedDog(dog);
  } else if (status === 404 || (status !== 304 && !hasDog)) openDog.value = { id, exchange };
  if (status === 404 && hasDog) removeListedDog(id);
}
