import { createBark } from '../../lambdas/domain/barks/create.ts';
import { listBarks, readDogView } from '../../lambdas/domain/barks/queries.ts';
import type { RequestContext } from '../../lambdas/domain/platform/request-context.ts';
import { newContext } from './context.ts';

/** The numbers of a dog's barks that are counted, that are in the history, and that are recorded. */
export interface BarkNumbers {
  readonly count: number;
  readonly inHistory: number;
  readonly recorded: number;
}

export const noBark: BarkNumbers = { count: 0, inHistory: 0, recorded: 0 };
export const recordedBark: BarkNumbers = { count: 1, inHistory: 1, recorded: 1 };

export async function barkNumbers(dog: string, context: RequestContext = newContext()): Promise<BarkNumbers> {
  const [{ dog: state, previous }, { barks }] = await Promise.all([
    readDogView(dog, context),
    listBarks(dog, { limit: 100 }, context),
  ]);
  return { count: state.barkCount, inHistory: previous.length, recorded: barks.length };
}

/** Makes the service accept an asynchronous bark, and returns the ID of the bark. */
export async function acceptBark(dog: string, context: RequestContext = newContext()): Promise<string> {
  const outcome = await createBark(dog, { isAsync: true }, context);
  if (outcome.kind !== 'accepted') throw new Error(`The bark was ${outcome.kind}.`);
  return outcome.bark.id;
}
