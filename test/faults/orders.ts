import { precedes, type Run } from './interleaving.ts';
import type { ReferenceModel } from './model/reference-model.ts';
import { type Change, type Expected, isChange, type Observation, type Operation } from './operations.ts';

/** One sequential order of the changes, and its results. */
export interface Linearization {
  readonly steps: readonly Step[];
  readonly results: readonly Expected[];
  /** True if these are the observed results. */
  readonly matches: boolean;
  /** The model before the changes and after each change. */
  readonly models: readonly ReferenceModel[];
  readonly model: ReferenceModel;
}

/** A step of a change: the read of the dog, or the change itself. */
export interface Step {
  readonly change: Change;
  readonly reads: boolean;
}

export function follow(
  start: ReferenceModel,
  steps: readonly Step[],
  observations: ReadonlyMap<Operation, Observation>,
): Linearization {
  const models = [start];
  const firsts = new Map<Change, ReferenceModel>();
  const results: Expected[] = [];
  let model = start;
  let matches = true;
  for (const { change, reads } of steps) {
    if (reads) {
      firsts.set(change, model);
      continue;
    }
    const next: ReferenceModel = JSON.parse(JSON.stringify(model));
    const was = observations.get(change) as Observation;
    const expected = change.apply(next, was, firsts.get(change) ?? model);
    matches &&= expected.outcome === was.outcome && (expected.mails ?? was.mails) === was.mails;
    results.push(expected);
    models.push(next);
    model = next;
  }
  return { steps, results, matches, models, model };
}

interface Remaining {
  readonly run: Run;
  readonly steps: readonly Step[];
}

/** Generates the possible orders of the changes. If one change ended before another began, the first precedes the second. */
export function* ordersOf(changes: readonly Remaining[]): Generator<Step[]> {
  const open = changes.filter(({ steps }) => steps.length > 0);
  if (open.length === 0) yield [];
  for (const change of open) {
    if (open.some(({ run }) => precedes(run, change.run))) continue;
    const [next, ...steps] = change.steps as [Step, ...Step[]];
    const others = open.map((one) => (one === change ? { ...change, steps } : one));
    for (const order of ordersOf(others)) yield [next, ...order];
  }
}

/**
 * Returns the models that a read can show. It must show every change that ended before the read began, and no change that
 * began after the read ended.
 */
export function modelsAround(
  read: Run,
  { steps, models }: Linearization,
  runOf: (change: Change) => Run,
): ReferenceModel[] {
  const changes = steps.flatMap(({ change, reads }) => (reads ? [] : [runOf(change)]));
  const from = changes.findLastIndex((change) => precedes(change, read)) + 1;
  const to = changes.findIndex((change) => precedes(read, change));
  return models.slice(from, to < 0 ? undefined : to + 1);
}

export function remainingOf(operation: Operation, run: Run): Remaining {
  if (!isChange(operation)) return { run, steps: [] };
  const happens = { change: operation, reads: false };
  return { run, steps: operation.readsFirst ? [{ change: operation, reads: true }, happens] : [happens] };
}

export function describeStep({ change, reads }: Step): string {
  return reads ? `${change.name} reads` : change.name;
}
