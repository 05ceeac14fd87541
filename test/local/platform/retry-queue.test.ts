import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { type Exhaustion, RetryQueue, type RetryQueueOptions } from '../../../local/platform/retry-queue.ts';
import { useTestCloud } from '../../support/emulators.ts';

const cloud = useTestCloud(0);

const minute = 60_000;
const policy = {
  maximumAttempts: 3,
  maximumAgeMs: 60 * minute,
  retryDelayMs: (failures: number) => failures * minute,
};

type Deliver = (item: string, attempt: number) => unknown;

/** Opens a queue on the file of this test. Returns its deliveries and its exhausted items. */
function open(
  deliver: Deliver = () => {},
  overrides: Partial<RetryQueueOptions<string>> = {},
  table = 'items',
) {
  const done: [what: string, attempt: number, at: number][] = [];
  const exhausted: [item: string, exhaustion: Exhaustion][] = [];
  const options: RetryQueueOptions<string> = {
    policy: () => policy,
    deliver: async (item, attempt) => {
      done.push([item, attempt, cloud.clock.now()]);
      await deliver(item, attempt);
    },
    onExhausted: (item, exhaustion) => exhausted.push([item, exhaustion]),
    ...overrides,
  };
  const store = cloud.use(new DatabaseSync(cloud.file('queue.sqlite')));
  const queue = cloud.use(new RetryQueue(store, table, options, cloud.clock));
  return { queue, store, done, exhausted, names: () => done.map(([item]) => item) };
}

/** Returns the number of items on disk. */
function kept(table = 'items'): unknown {
  const store = new DatabaseSync(cloud.file('queue.sqlite'));
  const count = store.prepare(`SELECT COUNT(*) AS count FROM ${table}`).get()?.count;
  store.close();
  return count;
}

const failing: Deliver = () => {
  throw new Error('not now');
};
const never = () => new Promise(() => {});

describe('An item', () => {
  test('is on disk until it is delivered', async () => {
    const { queue, done } = open();
    queue.put('a');
    expect([kept(), done]).toEqual([1, []]);
    await queue.idle();
    expect([kept(), done]).toEqual([0, [['a', 1, 0]]]);
  });

  test('is kept, with a log line, if it cannot be passed on', async () => {
    let full = true;
    const onExhausted = jest.fn(() => {
      if (full) throw new Error('disk full');
    });
    const { queue } = open(failing, { onExhausted, policy: () => ({ ...policy, maximumAttempts: 1 }) });
    queue.put('a');
    await queue.idle();
    expect(kept()).toBe(1);
    expect(cloud.logged).toContain(
      'The queue keeps a failed item, because its failure could not be handled: disk full',
    );
    full = false;
    await cloud.clock.advance(minute);
    expect([kept(), onExhausted.mock.calls.length]).toEqual([0, 2]);
  });

  test('is not stored if its transaction is rolled back', async () => {
    const { queue, store, done } = open();
    store.exec('BEGIN');
    queue.put('a');
    store.exec('ROLLBACK');
    await cloud.clock.advance(minute);
    expect(done).toEqual([]);
  });
});

describe('Many items', () => {
  test('are delivered concurrently, at most 50 at a time', async () => {
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

  test('do not wait for an item that fails or takes long', async () => {
    const { queue, names } = open((item) =>
      item === 'slow' ? never() : item === 'bad' ? failing(item, 1) : undefined,
    );
    for (const item of ['slow', 'bad', 'good']) queue.put(item);
    await cloud.clock.advance(minute);
    expect(names()).toEqual(['slow', 'bad', 'good', 'bad']);
  });

  test('can be in several queues in one file', async () => {
    const [one, other] = [open(undefined, {}, 'one'), open(undefined, {}, 'other')];
    one.queue.put('a');
    other.queue.put('b');
    await cloud.clock.advance(0);
    expect([one.names(), other.names()]).toEqual([['a'], ['b']]);
  });
});

describe('After a restart', () => {
  test('all items that have not been delivered are delivered', async () => {
    const before = open((item) => (item === 'resting' ? failing(item, 1) : never()));
    for (const item of ['under way', 'resting']) before.queue.put(item);
    await turn();
    before.queue.put('queued');
    await cloud.stop();
    const { queue, done } = open();
    queue.resume();
    await cloud.clock.advance(minute);
    expect(before.names()).toEqual(['under way', 'resting']);
    expect(done).toEqual([
      ['under way', 1, 0],
      ['queued', 1, 0],
      ['resting', 2, minute],
    ]);
    expect(kept()).toBe(0);
  });

  test('no delivered item is delivered again', async () => {
    const before = open();
    before.queue.put('a');
    await before.queue.idle();
    await cloud.stop();
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
  const { queue, exhausted } = open(() => release.promise);
  queue.put('a');
  await turn();
  await cloud.stop();
  finish(release);
  await cloud.clock.advance(minute);
  expect([kept(), exhausted]).toEqual([1, []]);
});
