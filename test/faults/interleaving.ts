import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { gateCalls, type StandingSchedule, standing } from '../support/faults.ts';

/**
 * Runs operations at the same time of which only one is ever under way: each call that one makes is held, and one of
 * those that are held is let through at a time. So an interleaving is the order of these choices: a list of numbers, that
 * a seed gives again, and that shrinks.
 *
 *     PUT    ──▪ UpdateItem ─────────────────────────────── 204
 *     bark   ──▪ GetItem ────────▪ TransactWriteItems ───── 201        ▪ waits to be let through
 *
 * What the database does with a call is one step. So to hold the answers as well would give nothing new: an operation
 * that learns late of what it did is one whose next call is let through late.
 */
export async function interleave<Answer>(
  operations: readonly Runnable<Answer>[],
  order: readonly number[],
): Promise<{ ends: Ended<Answer>[]; trace: string[] }> {
  const runs = operations.map(
    ({ name }): Run => ({ name, calls: [], schedules: [], first: Infinity, last: 0 }),
  );
  const trace: string[] = [];
  let going = operations.length;
  const answers = Promise.allSettled(
    operations.map(({ run }, i) =>
      running.run(runs[i] as Run, run).finally(() => {
        going -= 1;
      }),
    ),
  );
  for (let step = 0; await somethingIsHeld(() => going > 0); step++) {
    held.sort((a, b) => runs.indexOf(a.by) - runs.indexOf(b.by));
    const [next] = held.splice((order[step] ?? 0) % held.length, 1) as [Held];
    trace.push(`${next.by.name}: ${next.operation}`);
    next.by.first = Math.min(next.by.first, step);
    next.by.last = step;
    await next.letThrough();
  }
  const ends = (await answers).map((answer, i) => ({ ...(runs[i] as Run), answer }));
  return { ends, trace };
}

interface Runnable<Answer> {
  /** Tells it in a trace. */
  readonly name: string;
  readonly run: () => Promise<Answer>;
}

/** What an operation did. */
export interface Run {
  readonly name: string;
  /** Its calls, in their order. */
  readonly calls: string[];
  /** The schedules that it had the scheduler make. */
  readonly schedules: StandingSchedule[];
  /** The steps at which its first and its last call were let through. */
  first: number;
  last: number;
}

export interface Ended<Answer> extends Run {
  readonly answer: PromiseSettledResult<Answer>;
}

/** True if one had ended before the other began, so that everybody sees the two in this order. */
export function precedes(one: Run, other: Run): boolean {
  return one.last < other.first;
}

/** An interleaving: which of the calls that are held is let through, at each step; after its end always the first. */
export const anyOrder = fc.noBias(fc.array(fc.nat({ max: 11 }), { minLength: 16, maxLength: 16 }));

interface Held {
  readonly by: Run;
  readonly operation: string;
  readonly letThrough: () => Promise<void>;
}

const running = new AsyncLocalStorage<Run>();
const held: Held[] = [];

/** Has the calls of operations that are interleaved wait; those of others pass. */
export function holdCalls(): void {
  gateCalls(hold);
}

/** Has a call wait until it is let through, if it is one of an operation that is interleaved. */
export function hold<Answer>(operation: string, pass: () => Promise<Answer>): Promise<Answer> {
  const by = running.getStore();
  if (!by) return pass();
  return new Promise((resolve, reject) => {
    const letThrough = async () => {
      by.calls.push(operation);
      await pass().then(whole).then(resolve, reject);
      const [made] = operation === 'CreateSchedule' ? standing().slice(-1) : [];
      if (made) by.schedules.push(made);
    };
    held.push({ by, operation, letThrough });
  });
}

/** Waits for the whole of an answer, so that nothing but the process itself is left to wait for. */
async function whole<Answer>(answer: Answer): Promise<Answer> {
  const { response } = answer as { response?: { body: unknown } };
  if (response?.body instanceof Readable) response.body = Readable.from([await buffer(response.body)]);
  return answer;
}

/** How many turns of the event loop in which no call is made show that none will be: an operation needs one at most. */
const calm = 4;

/** Waits until each operation has come to its next call, or to its end. */
async function somethingIsHeld(isGoing: () => boolean): Promise<boolean> {
  for (let turns = 0; turns < calm; turns++) {
    const before = held.length;
    await turn();
    if (held.length !== before || (held.length === 0 && isGoing())) turns = -1;
  }
  return held.length > 0;
}
