import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { type Exhaustion, RetryQueue, type RetryQueueOptions } from '../../../local/platform/retry-queue.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const logged = jest.spyOn(console, 'log').mockImplementation(() => {});
const directory = mkdtempSync(join(tmpdir(), 'queue-'));
afterAll(() => rmSync(directory, { recursive: true }));

const minute = 60_000;
const policy = { attempts: 3, age: 60 * minute, pause: (failures: number) => failures * minute };

type Deliver = (item: string, attempt: number) => unknown;

let clock: ManualClock;
let file: string;
let opened: { queue: RetryQueue<string>; store: DatabaseSync }[];
let files = 0;

beforeEach(() => {
  clock = new ManualClock(0);
  file = join(directory, `${files++}.sqlite`);
  opened = [];
});
afterEach(stopAll);

function stopAll(): void {
  for (const { queue, store } of opened.splice(0)) {
    queue.stop();
    store.close();
  }
}

/** A queue on the file of this test, and what it does: each delivery, and each item that it gives up. */
function open(
  deliver: Deliver = () => {},
  settings: Partial<RetryQueueOptions<string>> = {},
  table = 'items',
) {
  const done: [what: string, attempt: number, at: number][] = [];
  const givenUp: [item: string, exhaustion: Exhaustion][] = [];
  const handling: RetryQueueOptions<string> = {
    policy: () => policy,
    deliver: async (item, attempt) => {
      done.push([item, attempt, clock.now()]);
      await deliver(item, attempt);
    },
    giveUp: (item, exhaustion) => givenUp.push([item, exhaustion]),
    ...settings,
  };
  const store = new DatabaseSync(file);
  const queue = new RetryQueue(store, table, handling, clock);
  opened.push({ queue, store });
  return { queue, store, done, givenUp, names: () => done.map(([item]) => item) };
}

/** How many items are on disk. */
function kept(table = 'items'): unknown {
  const store = new DatabaseSync(file);
  const count = store.prepare(`SELECT COUNT(*) AS count FROM ${table}`).get()?.count;
  store.close();
  return count;
}

const failing: Deliver = () => {
  throw new Error('not now');
};
const never = () => new Promise(() => {});

describe('An item', () => {
  test('is on disk before it is delivered, and gone when it was', async () => {
    const { queue, done } = open();
    queue.put('a');
    expect([kept(), done]).toEqual([1, []]);
    await queue.idle();
    expect([kept(), done]).toEqual([0, [['a', 1, 0]]]);
  });

  test('that fails is tried again after the pause of its policy', async () => {
    const { queue, done, givenUp } = open((_, attempt) => attempt < 3 && failing('', attempt));
    queue.put('a');
    await clock.advance(10 * minute);
    expect(done).toEqual([
      ['a', 1, 0],
      ['a', 2, minute],
      ['a', 3, 3 * minute],
    ]);
    expect([kept(), givenUp]).toEqual([0, []]);
  });

  test('is given up when its attempts are used up', async () => {
    const { queue, done, givenUp } = open(failing);
    queue.put('a');
    await clock.advance(10 * minute);
    expect(done).toHaveLength(3);
    expect(givenUp).toEqual([
      ['a', { condition: 'RetriesExhausted', attempts: 3, error: new Error('not now') }],
    ]);
    expect(kept()).toBe(0);
  });

  test('is given up when it would be too old for the next try', async () => {
    const { queue, givenUp } = open(failing, { policy: () => ({ ...policy, age: 2 * minute }) });
    queue.put('a');
    await clock.advance(10 * minute);
    expect(givenUp).toEqual([
      ['a', { condition: 'EventAgeExceeded', attempts: 2, error: new Error('not now') }],
    ]);
  });

  test('that is too old from the start is given up without a try; at its greatest age it is not', async () => {
    const { queue, done, givenUp } = open();
    queue.put('too old', -60 * minute - 1);
    queue.put('old', -60 * minute);
    await queue.idle();
    expect(done).toEqual([['old', 1, 0]]);
    expect(givenUp).toEqual([['too old', { condition: 'EventAgeExceeded', attempts: 0 }]]);
  });

  test('that cannot be given up stays, and is told of', async () => {
    let full = true;
    const giveUp = jest.fn(() => {
      if (full) throw new Error('disk full');
    });
    const { queue } = open(failing, { giveUp, policy: () => ({ ...policy, attempts: 1 }) });
    queue.put('a');
    await queue.idle();
    expect(kept()).toBe(1);
    expect(logged).toHaveBeenCalledWith('What was given up could not be put away: disk full');
    full = false;
    await clock.advance(minute);
    expect([kept(), giveUp.mock.calls.length]).toEqual([0, 2]);
  });

  test('that is put in a transaction which does not end well was never there', async () => {
    const { queue, store, done } = open();
    store.exec('BEGIN');
    queue.put('a');
    store.exec('ROLLBACK');
    await clock.advance(minute);
    expect(done).toEqual([]);
  });
});

describe('Many items', () => {
  test('are delivered side by side, no more than 50 at once, and all in the end', async () => {
    const release: (() => void)[] = [];
    const { queue, done } = open(() => new Promise<void>((resolve) => release.push(resolve)));
    for (let i = 0; i < 120; i++) queue.put(`${i}`);
    await turn();
    expect(done).toHaveLength(50);
    release.shift()?.();
    await turn();
    expect(done).toHaveLength(51);
    while (release.length > 0) {
      for (const finish of release.splice(0)) finish();
      await turn();
    }
    expect(new Set(done.map(([item]) => item)).size).toBe(120);
    expect([done.length, kept()]).toEqual([120, 0]);
  });

  test('do not wait for one that fails, nor for one that takes long', async () => {
    const { queue, names } = open((item) =>
      item === 'slow' ? never() : item === 'bad' ? failing(item, 1) : undefined,
    );
    for (const item of ['slow', 'bad', 'good']) queue.put(item);
    await clock.advance(minute);
    expect(names()).toEqual(['slow', 'bad', 'good', 'bad']);
  });

  test('may lie in several queues of one file', async () => {
    const [one, other] = [open(undefined, {}, 'one'), open(undefined, {}, 'other')];
    one.queue.put('a');
    other.queue.put('b');
    await clock.advance(0);
    expect([one.names(), other.names()]).toEqual([['a'], ['b']]);
  });
});

describe('After a restart', () => {
  test('what was queued, what was under way and what rested is delivered', async () => {
    const before = open((item) => (item === 'resting' ? failing(item, 1) : never()));
    for (const item of ['under way', 'resting']) before.queue.put(item);
    await turn();
    before.queue.put('queued');
    stopAll();
    const { queue, done } = open();
    queue.resume();
    await clock.advance(minute);
    expect(before.names()).toEqual(['under way', 'resting']);
    expect(done).toEqual([
      ['under way', 1, 0],
      ['queued', 1, 0],
      ['resting', 2, minute],
    ]);
    expect(kept()).toBe(0);
  });

  test('nothing that was delivered is delivered again', async () => {
    const before = open();
    before.queue.put('a');
    await before.queue.idle();
    stopAll();
    const { queue, done } = open();
    await queue.idle();
    expect(done).toEqual([]);
  });
});

test.each<[string, (release: { resolve: () => void; reject: (error: Error) => void }) => void]>([
  ['succeeds', ({ resolve }) => resolve()],
  ['fails', ({ reject }) => reject(new Error('late'))],
])('A queue that has been stopped touches nothing when a delivery then %s', async (_, finish) => {
  const release = Promise.withResolvers<void>();
  const { queue, givenUp } = open(() => release.promise);
  queue.put('a');
  await turn();
  stopAll();
  finish(release);
  await clock.advance(minute);
  expect([kept(), givenUp]).toEqual([1, []]);
});
