import { waitingTimeoutSeconds } from '../../lambdas/contract/waiting.ts';
import { handler as performBark } from '../../lambdas/jobs/perform-bark.ts';
import { context } from '../../tools/invocation.ts';
import { unrecorded } from './call-recorder.ts';
import { duringPauses } from './during-pauses.ts';
import { started } from './faults.ts';
import { invokeRoute } from './invoke-route.ts';

const waiting = (name: string, pathParameters: Record<string, string>) =>
  invokeRoute(name, {
    pathParameters,
    headers: { Prefer: 'wait=6' },
    remaining: waitingTimeoutSeconds * 1_000,
  });

/** Performs the bark before the first check. */
const perform = (dog: string) =>
  duringPauses(() => unrecorded(() => performBark(started(dog)[0], context())));

/** Returns the scenario of a POST that waits for its bark. */
export const waitsForNewBark = (newDog: () => Promise<string>, isPerformed: boolean) => async () => {
  const dog = await newDog();
  return () => {
    if (isPerformed) perform(dog);
    else duringPauses();
    return waiting('PostBarks', { dog_id: dog });
  };
};

/** Returns the scenario of a GET that waits until a pending bark is performed. */
export const waitsForBark = (pending: () => Promise<{ dog: string; bark: string }>) => async () => {
  const { dog, bark } = await pending();
  return () => {
    perform(dog);
    return waiting('GetBark', { dog_id: dog, bark_id: bark });
  };
};
