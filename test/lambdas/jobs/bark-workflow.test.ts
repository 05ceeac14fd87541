import { cancelBark } from '../../../lambdas/domain/barks/cancel.ts';
import { InvalidEvent } from '../../../lambdas/domain/platform/event.ts';
import { handler as failBark } from '../../../lambdas/jobs/fail-bark.ts';
import { handler as performBark } from '../../../lambdas/jobs/perform-bark.ts';
import { context, sampleEvent } from '../../../tools/invocation.ts';
import { acceptBark } from '../../support/barks.ts';
import { currentContext } from '../../support/context.ts';
import { newDog } from '../../support/dogs.ts';
import { useFunctions } from '../../support/faults.ts';
import { useLogs } from '../../support/logs.ts';

useFunctions();
useLogs();

async function pendingBark(): Promise<{ dog: string; bark: string }> {
  const dog = await newDog('async', ['record']);
  return { dog, bark: await acceptBark(dog, currentContext()) };
}

describe('PerformBark', () => {
  test('returns the status of a bark that is no longer pending', async () => {
    const cancelled = await pendingBark();
    await cancelBark(cancelled.dog, cancelled.bark, currentContext());
    expect(await performBark(cancelled, context())).toEqual({ status: 'cancelled' });
    const failed = await pendingBark();
    // The catch of the workflow adds the error to the input.
    await failBark({ ...failed, error: { Error: 'Unavailable', Cause: '' } }, context());
    expect(await performBark(failed, context())).toEqual({ status: 'failed' });
  });

  test('succeeds without an effect for a deleted dog', async () => {
    const input = { dog: 'gone', bark: 'a01KAK0XW00ABCDEFGHJKMNPQRS' };
    expect(await performBark(input, context())).toEqual({ status: undefined });
  });
});

describe('FailBark', () => {
  const event = sampleEvent<{ detail: object }>('FailBark');

  test('throws InvalidEvent for an event without the input as text, which EventBridge leaves out if it is too long', async () => {
    for (const input of [null, {}, { toString: null }])
      await expect(failBark({ ...event, detail: { ...event.detail, input } }, context())).rejects.toThrow(
        InvalidEvent,
      );
  });

  test('succeeds without an effect for an unknown bark', async () => {
    await failBark(event, context());
  });
});
