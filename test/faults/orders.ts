import { precedes, type Run } from './interleaving.ts';
import { type Change, type Expected, isChange, type Operation, type Seen } from './operations.ts';
import type { World } from './reference-model.ts';

/** What comes of one order of the changes. */
export interface Way {
  readonly steps: readonly Step[];
  readonly answers: readonly Expected[];
  /** True if the answers are those that were seen. */
  readonly isRight: boolean;
  /** How it was before, after each change, and at the end. */
  readonly worlds: readonly World[];
  readonly world: World;
}

/** A change happens, or looks at the dog before that. */
export interface Step {
  readonly change: Change;
  readonly looks: boolean;
}

export function follow(start: World, steps: readonly Step[], seen: ReadonlyMap<Operation, Seen>): Way {
  const worlds = [start];
  const firsts = new Map<Change, World>();
  const answers: Expected[] = [];
  let world = start;
  let isRight = true;
  for (const { change, looks } of steps) {
    if (looks) {
      firsts.set(change, world);
      continue;
    }
    const next: World = JSON.parse(JSON.stringify(world));
    const was = seen.get(change) as Seen;
    const expected = change.apply(next, was, firsts.get(change) ?? world);
    isRight &&= expected.outcome === was.outcome && (expected.mails ?? was.mails) === was.mails;
    answers.push(expected);
    worlds.push(next);
    world = next;
  }
  return { steps, answers, isRight, worlds, world };
}

/** What is left to do of a change. */
interface Rest {
  readonly run: Run;
  readonly steps: readonly Step[];
}

/** The orders of the changes that are possible: what had ended before another began comes before it. */
export function* ordersOf(rests: readonly Rest[]): Generator<Step[]> {
  const open = rests.filter(({ steps }) => steps.length > 0);
  if (open.length === 0) yield [];
  for (const rest of open) {
    if (open.some(({ run }) => precedes(run, rest.run))) continue;
    const [next, ...steps] = rest.steps as [Step, ...Step[]];
    const others = open.map((one) => (one === rest ? { ...rest, steps } : one));
    for (const order of ordersOf(others)) yield [next, ...order];
  }
}

/** The worlds that a look may be of: not before a change that had ended when it began, nor after one that began later. */
export function worldsAround(look: Run, { steps, worlds }: Way, runOf: (change: Change) => Run): World[] {
  const changes = steps.flatMap(({ change, looks }) => (looks ? [] : [runOf(change)]));
  const from = changes.findLastIndex((change) => precedes(change, look)) + 1;
  const to = changes.findIndex((change) => precedes(look, change));
  return worlds.slice(from, to < 0 ? undefined : to + 1);
}

export function restOf(operation: Operation, run: Run): Rest {
  if (!isChange(operation)) return { run, steps: [] };
  const happens = { change: operation, looks: false };
  return { run, steps: operation.looksFirst ? [{ change: operation, looks: true }, happens] : [happens] };
}

export function wordsOf({ change, looks }: Step): string {
  return looks ? `${change.name} looks` : change.name;
}
