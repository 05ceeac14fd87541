import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { gateCalls, type StandingSchedule, standing } from '../support/faults.ts';

/**
 * Runs operations concurrently, but lets only one of them proceed at a time. It holds each call of an operation, and releases
 * the held calls one by one. An interleaving is the order in which the calls are released. It is a list of numbers, which a
 * seed reproduces and fast-check can shrink.
 *
 *     PUT    ──▪ UpdateItem ─────────────────────────────── 204
 *     bark   ──▪ GetItem ────────▪ TransactWriteItems ───── 201        ▪ held until released
 *
 * The database executes each call in one step. Responses are not held, because this would not add interleavings. A late
 * response to an operation has the same effect as a late release of the operation's next call.
 *
 * @param order selects the held call to release at each step
 * @returns the run of each operation, and the calls in the order of their release
 */
export async function interleave<Result>(
  operations: readonly Runnable<Result>[],
  order: readonly number[],
): Promise<{ ends: Ended<Result>[]; trace: string[] }> {
  const runs = operations.map(
    ({ name }): Run => ({ name, calls: [], schedules: [], first: Infinity, last: 0 }),
  );
  const trace: string[] = [];
  let going = operations.length;
  const settled = Promise.allSettled(
    operations.map(({ run }, i) =>
      running.run(runs[i] as Run, run).finally(() => {
        going -= 1;
      }),
    ),
  );
  for (let step = 0; await isAnyHeld(() => going > 0); step++) {
    held.sort((a, b) => runs.indexOf(a.by) - runs.indexOf(b.by));
    const [next] = held.splice((order[step] ?? 0) % held.length, 1) as [Held];
    trace.push(`${next.by.name}: ${next.operation}`);
    next.by.first = Math.min(next.by.first, step);
    next.by.last = step;
    await next.release();
  }
  const ends = (await settled).map((result, i) => ({ ...(runs[i] as Run), result }));
  return { ends, trace };
}

interface Runnable<Result> {
  /** Identifies the operation in a trace. */
  readonly name: string;
  readonly run: () => Promise<Result>;
}

export interface Run {
  readonly name: string;
  readonly calls: string[];
  /** The schedules that the operation created in EventBridge Scheduler. */
  readonly schedules: StandingSchedule[];
  /** The steps at which the first and the last call of the operation were released. */
  first: number;
  last: number;
}

export interface Ended<Result> extends Run {
  readonly result: PromiseSettledResult<Result>;
}

/** Returns true if one run ended before the other began, so that every observer sees them in this order. */
export function precedes(one: Run, other: Run): boolean {
  return one.last < other.first;
}

/** An interleaving. Each number selects the held call to release. After the end of the list, the first call is released. */
export const anyOrder = fc.noBias(fc.array(fc.nat({ max: 11 }), { minLength: 16, maxLength: 16 }));

interface Held {
  readonly by: Run;
  readonly operation: string;
  readonly release: () => Promise<void>;
}

const running = new AsyncLocalStorage<Run>();
const held: Held[] = [];

export function holdCalls(): void {
  gateCalls(hold, { splitsBatches: true });
}

/** Holds a call of an interleaved operation until the call is released. Makes any other call immediately. */
export function hold<Response>(operation: string, pass: () => Promise<Response>): Promise<Response> {
  const by = running.getStore();
  if (!by) return pass();
  return new Promise((resolve, reject) => {
    const release = async () => {
      by.calls.push(operation);
      await pass().then(whole).then(resolve, reject);
      const [made] = operation === 'CreateSchedule' ? standing().slice(-1) : [];
      if (made) by.schedules.push(made);
    };
    held.push({ by, operation, release });
  });
}

/** Buffers the body of a response, so that the operation does not have to wait for more I/O. */
async function whole<Response>(received: Response): Promise<Response> {
  const { response } = received as { response?: { body: unknown } };
  if (response?.body instanceof Readable) response.body = Readable.from([await buffer(response.body)]);
  return received;
}

/** The number of idle turns of the event loop after which no further call is expected. An operation needs at most one turn. */
const idleTurns = 4;

/** Waits until each operation has reached its next call or its end. Returns true if a call is held. */
async function isAnyHeld(isGoing: () => boolean): Promise<boolean> {
  for (let turns = 0; turns < idleTurns; turns++) {
    const before = held.length;
    await turn();
    if (held.length !== before || (held.length === 0 && isGoing())) turns = -1;
  }
  return held.length > 0;
}
