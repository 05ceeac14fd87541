import type { Bark } from '../../lambdas/domain/barks/bark.ts';
import { NotFound } from '../../lambdas/domain/platform/errors.ts';
import { awaitBark } from '../../lambdas/domain/waiting/read-bark.ts';
import { awaitOutcome, type SettledOutcome } from '../../lambdas/domain/waiting/wait.ts';
import type { Change, Operation, Read, Result } from './operations.ts';

/** The races skip the pauses. */
const longestWaitMs = 20_000;

const contextOf = ({ at }: Operation) => ({ now: 1_000 * at, signal: new AbortController().signal });

/** Returns a GET of a bark whose client waits. */
export function waitingForBark(read: Read): Read {
  const run = async (): Promise<Result> => {
    const first = await read.run();
    const bark = first.shown as Bark | undefined;
    if (bark?.status !== 'pending') return first;
    try {
      return { ...first, shown: (await awaitBark(bark, longestWaitMs, contextOf(read))) ?? bark };
    } catch (error) {
      if (error instanceof NotFound) return { outcome: error.name };
      throw error;
    }
  };
  return { ...read, name: `${read.name}, with a wait`, run };
}

/**
 * Returns a bark whose client waits.
 *
 * @param end is called with the outcome if the bark is accepted, and with undefined if it is still pending after the wait
 */
export function waitingForOutcome(bark: Change, end: (outcome: SettledOutcome | undefined) => void): Change {
  const run = async () => {
    const result = await bark.run();
    if (result.outcome === 'accepted')
      end(await awaitOutcome(result.shown as Bark, longestWaitMs, contextOf(bark)));
    return result;
  };
  return { ...bark, name: `${bark.name}, with a wait`, run };
}
