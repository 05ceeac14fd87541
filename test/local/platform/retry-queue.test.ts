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

type Deliver = (item: string) => unknown;

/** Opens a queue on the file of this test. Returns its deliveries and its exhausted items. */
function open(deliver: Deliver = () => {}, overrides: Partial<RetryQueueOptions<string>> = {}) {
  const done: [what: string, at: number][] = [];
  const exhausted: [item: string, exhaustion: Exhaustion][] = [];
  const options: RetryQueueOptions<string> = {
    policy: () => policy,
    deliver: async (item) => {
      done.push([item, cloud.clock.now()]);
      await deliver(item);
    },
    onExhausted: (item, exhaustion) => exhausted.push([item, exhaustion]),
    ...overrides,
  };
  const store = cloud.use(new DatabaseSync(cloud.file('queue.sqlite')));
  const queue = cloud.use(new RetryQueue(store, 'items', options, cloud.clock));
  return { queue, store, done, exhausted };
}

/** Returns the number of items on disk. */
function kept(): unknown {
  const store = new DatabaseSync(cloud.file('queue.sqlite'));
  const count = store.prepare('SELECT COUNT(*) AS count FROM items').get()?.count;
  store.close();
  return count;
}

const failing: Deliver = () => {
  throw new Error('not now');
};
const never = () => new Promise(() => {});

test('An item is on disk until it is delivered', async () => {
  const { queue, done } = open();
  queue.put('a');
  expect([kept(), done]).toEqual([1, []]);
  await cloud.clock.advance(0);
  expect([kept(), done]).toEqual([0, [['a', 0]]]);
});

test('An item is kept, with a log line, if it cannot be passed on', async () => {
  let full = true;
  const onExhausted = jest.fn(() => {
    if (full) throw new Error('disk full');
  });
  const { queue } = open(failing, { onExhausted, policy: () => ({ ...policy, maximumAttempts: 1 }) });
  queue.put('a');
  await cloud.clock.advance(0);
  expect(kept()).toBe(1);
  expect(cloud.logged).toContain(
    'The queue keeps a failed item, because its failure could not be handled: disk full',
  );
  full = false;
  await cloud.clock.advance(minute);
  expect([kept(), onExhausted.mock.calls.length]).toEqual([0, 2]);
});

test('An item is not stored if its transaction is rolled back', async () => {
  const { queue, store, done } = open();
  store.exec('BEGIN');
  queue.put('a');
  store.exec('ROLLBACK');
  await cloud.clock.advance(minute);
  expect(done).toEqual([]);
});

test('Items are delivered concurrently, at most 50 at a time', async () => {
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
  expect([new Set(done.map(([item]) => item)).size, done.length, kept()]).toEqual([120, 120, 0]);
});

test('Items do not wait for an item that fails or takes long', async () => {
  const { queue, done } = open((item) =>
    item === 'slow' ? never() : item === 'bad' ? failing(item) : undefined,
  );
  for (const item of ['slow', 'bad', 'good']) queue.put(item);
  await cloud.clock.advance(minute);
  expect(done.map(([item]) => item)).toEqual(['slow', 'bad', 'good', 'bad']);
});

test('After a restart, all items that have not been delivered are delivered', async () => {
  const before = open((item) => (item === 'resting' ? failing(item) : never()));
  for (const item of ['under way', 'resting']) before.queue.put(item);
  await turn();
  before.queue.put('queued');
  await cloud.stop();
  const { queue, done } = open();
  queue.resume();
  await cloud.clock.advance(minute);
  expect(before.done.map(([item]) => item)).toEqual(['under way', 'resting']);
  expect(done).toEqual([
    ['under way', 0],
    ['queued', 0],
    ['resting', minute],
  ]);
  expect(kept()).toBe(0);
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
