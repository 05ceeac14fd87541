import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { database } from '../../lambdas/domain/platform/dynamodb.ts';
import { gateCalls } from './faults.ts';

export interface Recorded<Result> {
  readonly result: Result;
  /** `→` separates calls that wait for one another, and `+` separates parallel calls. */
  readonly calls: string;
  /** The read and write request units that DynamoDB charges. */
  readonly reads: number;
  readonly writes: number;
}

interface Held {
  readonly name: string;
  readonly go: () => Promise<unknown>;
  readonly settle: (outcome: PromiseSettledResult<unknown>) => void;
}

/**
 * Sends calls in waves. A wave is held until no further calls arrive, and its responses are delivered together. The number
 * of waves is therefore the length of the longest chain of calls, no matter how long each call takes.
 */
class Waves {
  readonly past: string[][] = [];
  reads = 0;
  writes = 0;
  private held: Held[] = [];

  hold<Output>(name: string, go: () => Promise<Output>): Promise<Output> {
    return new Promise<Output>((resolve, reject) => {
      const settle = (outcome: PromiseSettledResult<unknown>) =>
        outcome.status === 'fulfilled' ? resolve(outcome.value as Output) : reject(outcome.reason);
      this.held.push({ name, go, settle });
      if (this.held.length === 1) void this.release();
    });
  }

  private async release(): Promise<void> {
    await this.quiet();
    const wave = this.held;
    this.held = [];
    this.past.push(wave.map(({ name }) => name));
    const outcomes = await Promise.allSettled(wave.map(({ go }) => go()));
    for (const [i, outcome] of outcomes.entries()) wave[i]?.settle(outcome);
  }

  /** If this wait were too short, the result would have too many waves, but never too few. */
  private async quiet(): Promise<void> {
    let before: number;
    do {
      before = this.held.length;
      for (let i = 0; i < 20; i++) await turn();
    } while (this.held.length > before);
  }
}

let waves: Waves | undefined;

/** Records a call and holds it for its wave, if a recording is in progress. */
export function recordCall<Output>(name: string, go: () => Promise<Output>): Promise<Output> {
  return waves ? waves.hold(name, go) : go();
}

export async function recorded<Result>(act: () => Promise<Result>): Promise<Recorded<Result>> {
  const own = new Waves();
  waves = own;
  try {
    const result = await act();
    const { reads, writes } = own;
    return { result, calls: own.past.map(counted).join(' → '), reads, writes };
  } finally {
    waves = undefined;
  }
}

// @extension waiting {
/** Does something that is not part of the recorded action, while the action waits. */
export async function unrecorded(act: () => Promise<unknown>): Promise<void> {
  const own = waves;
  waves = undefined;
  await act();
  waves = own;
}
// @extension waiting }

/** Returns the calls of a wave in the form `GetItem + 2 Query`. */
function counted(names: readonly string[]): string {
  return [...new Set(names)]
    .sort()
    .map((name) => [names.filter((other) => other === name).length, name] as const)
    .map(([count, name]) => (count === 1 ? name : `${count} ${name}`))
    .join(' + ');
}

/** Installs the recorder below the clients and their retries. Needs the fault injector. */
export function installRecorder(): void {
  database.middlewareStack.add(
    (next) => (args) =>
      next({ ...args, input: Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' }) }),
    { step: 'initialize', name: 'returnConsumedCapacity' },
  );
  gateCalls(
    (name, pass) =>
      recordCall(name, async () => {
        const received = await pass();
        // The time to transfer a body must not split a wave.
        const body = await buffer(received.response.body);
        received.response.body = Readable.from([body]);
        if (waves) addUnits(waves, name, body.toString());
        return received;
      }),
    { splitsBatches: false },
  );
}

interface Units {
  readonly CapacityUnits: number;
  readonly ReadCapacityUnits?: number;
}

interface Counted {
  readonly __type?: string;
  readonly ConsumedCapacity?: Units | Units[];
  readonly CancellationReasons?: readonly unknown[];
}

const readers = new Set(['BatchGetItem', 'GetItem', 'Query', 'Scan']);

/**
 * Adds the units of a DynamoDB call. DynamoDB returns no units for a write whose condition failed, although the write costs as
 * much as a successful one. Assumes that the items of such writes are smaller than 1 KB.
 */
function addUnits(total: Waves, name: string, body: string): void {
  if (!body.startsWith('{')) return;
  const { __type = '', ConsumedCapacity = [], CancellationReasons } = JSON.parse(body) as Counted;
  if (__type.startsWith('com.amazonaws.dynamodb'))
    total.writes += CancellationReasons ? 2 * CancellationReasons.length : 1;
  for (const { CapacityUnits, ReadCapacityUnits = 0 } of [ConsumedCapacity].flat()) {
    const reads = readers.has(name) ? CapacityUnits : ReadCapacityUnits;
    total.reads += reads;
    total.writes += CapacityUnits - reads;
  }
}
