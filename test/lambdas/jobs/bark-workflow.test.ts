import type { Context } from 'aws-lambda';
import { cancelBark } from '../../../lambdas/domain/barks/cancel.ts';
import { readBark } from '../../../lambdas/domain/barks/queries.ts';
import { InvalidEvent, NotStored } from '../../../lambdas/domain/platform/errors.ts';
import { handler as failBark } from '../../../lambdas/jobs/fail-bark.ts';
import { handler as performBark } from '../../../lambdas/jobs/perform-bark.ts';
import { context, sampleEvent } from '../../../tools/invocation.ts';
import { acceptBark } from '../../support/barks.ts';
import { newDog, replaceSettings } from '../../support/dogs.ts';
import { useFunctions } from '../../support/faults.ts';
import { useLogs } from '../../support/logs.ts';

useFunctions();
useLogs();

const run: Context = { ...context(30_000), awsRequestId: 'first' };

function newContext() {
  return { now: Date.now(), signal: AbortSignal.timeout(8_000) };
}

interface Input {
  readonly dog: string;
  readonly bark: string;
}

async function pendingBark(): Promise<Input> {
  const dog = await newDog('async', ['record']);
  return { dog, bark: await acceptBark(dog, newContext()) };
}

const statusOf = async ({ dog, bark }: Input) => (await readBark(dog, bark, newContext())).status;

describe('PerformBark', () => {
  test('returns the status of a bark that is no longer pending', async () => {
    const cancelled = await pendingBark();
    await cancelBark(cancelled.dog, cancelled.bark, newContext());
    expect(await performBark(cancelled, run)).toEqual({ status: 'cancelled' });
    const failed = await pendingBark();
    await failBark(failed, run);
    expect(await performBark(failed, run)).toEqual({ status: 'failed' });
  });

  test('returns the status of a bark that it fails', async () => {
    const dog = await newDog('async', ['emailDog']);
    const input = { dog, bark: await acceptBark(dog, newContext()) };
    await replaceSettings(dog, { barkEffects: ['record'], barkHandling: 'async' });
    expect(await performBark(input, run)).toEqual({ status: 'failed' });
  });

  test('throws NotStored while the bark is not written, so that the workflow retries the task', async () => {
    const input = sampleEvent<Input>('PerformBark');
    await replaceSettings(input.dog);
    await expect(performBark(input, run)).rejects.toThrow(NotStored);
  });

  test('succeeds without an effect for a deleted dog', async () => {
    const input = { dog: 'gone', bark: 'a01KAK0XW00ABCDEFGHJKMNPQRS' };
    expect(await performBark(input, run)).toEqual({ status: undefined });
  });
});

describe('FailBark', () => {
  const event = sampleEvent<{ detail: object }>('FailBark');
  const eventWith = (input: unknown) => ({ ...event, detail: { ...event.detail, input } });

  test.each<[string, (input: Input) => object]>([
    [
      'the input of the workflow, to which the catch has added the error',
      (input) => ({ ...input, error: { Error: 'Unavailable', Cause: '' } }),
    ],
    [
      'the event that EventBridge sends at the end of an execution',
      (input) => eventWith(JSON.stringify(input)),
    ],
  ])('fails the bark in %s', async (_, eventOf) => {
    const input = await pendingBark();
    await failBark(eventOf(input), run);
    expect(await statusOf(input)).toBe('failed');
  });

  test('throws InvalidEvent for an event without the input as text, which EventBridge leaves out if it is too long', async () => {
    for (const input of [null, {}, { toString: null }])
      await expect(failBark(eventWith(input), run)).rejects.toThrow(InvalidEvent);
  });

  test('succeeds without an effect for an unknown bark', async () => {
    await failBark(event, run);
  });
});
