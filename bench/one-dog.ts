import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { withRetries } from '../lambdas/domain/platform/dynamodb.ts';
import { Unavailable } from '../lambdas/domain/platform/errors.ts';
import { median } from '../tools/statistics.ts';
import type { Table } from '../tools/table.ts';

/** How long a transaction locks the item, in milliseconds. DynamoDB usually takes only a few, but guarantees nothing. */
const holds = [10, 20];

/** Average barks per second, at random moments. */
const offered = [20, 40, 80];
/** The duration of each measurement. */
const seconds = 25;

/** How long a function may take for a request. */
const timeoutMs = 8_000;

interface Fate {
  readonly tries: number;
  readonly milliseconds: number;
  readonly isFailed: boolean;
}

/**
 * Measures how the service's retries handle conflicts on one dog. They run against a model of the item, because the embedded
 * database executes transactions one after another, without conflicts.
 */
export async function measure(): Promise<Table[]> {
  const cases = holds.flatMap((hold) => offered.map((rate) => ({ hold, rate })));
  const rows = await Promise.all(
    cases.map(async ({ hold, rate }) => {
      const fates = await barksOf(new Item(hold), rate);
      const share = (is: (fate: Fate) => boolean) =>
        `${Math.round((100 * fates.filter(is).length) / fates.length)} %`;
      const times = fates.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
      return [
        `${hold} ms, ${rate} a second`,
        share((fate) => fate.tries === 1),
        Math.round(median(times)),
        Math.round(times[Math.floor(0.99 * times.length)] ?? 0),
        share(({ isFailed }) => isFailed),
      ];
    }),
  );
  return [
    {
      title: 'Barks of one dog against a model of its item. Times include retries',
      columns: ['lock time and rate', 'succeed at first', 'median ms', 'p99 ms', 'failed (503)'],
      rows,
    },
  ];
}

/** A model of an item: while one transaction locks the item, others are cancelled. */
class Item {
  private readonly hold: number;
  private taken = false;

  constructor(hold: number) {
    this.hold = hold;
  }

  async transact(): Promise<void> {
    if (this.taken) {
      await sleep(this.hold / 2);
      throw new TransactionCanceledException({
        message: 'conflict',
        CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
        $metadata: {},
      });
    }
    this.taken = true;
    await sleep(this.hold);
    this.taken = false;
  }
}

async function barksOf(item: Item, rate: number): Promise<Fate[]> {
  const barks: Promise<Fate>[] = [];
  const end = performance.now() + seconds * 1000;
  for (let next = performance.now(); next < end; next += pauseAt(rate)) {
    await sleep(Math.max(0, next - performance.now()));
    barks.push(barkOf(item));
  }
  return Promise.all(barks);
}

/** Returns a random time until the next bark, in milliseconds. @param rate the average number of barks per second */
function pauseAt(rate: number): number {
  return (-Math.log(Math.random()) * 1000) / rate;
}

async function barkOf(item: Item): Promise<Fate> {
  const started = performance.now();
  let tries = 0;
  const bark = () => {
    tries++;
    return item.transact();
  };
  const isFailed = await withRetries(bark, { now: Date.now(), signal: AbortSignal.timeout(timeoutMs) }).then(
    () => false,
    (error) => {
      if (!(error instanceof Unavailable)) throw error;
      return true;
    },
  );
  return { tries, milliseconds: performance.now() - started, isFailed };
}
