import type { Context } from 'aws-lambda';
import { createBark } from '../../../lambdas/domain/barks/create.ts';
import { readBark } from '../../../lambdas/domain/barks/queries.ts';
import { putDog } from '../../../lambdas/domain/dogs/repository.ts';
import { InvalidEvent, NotYet, Unavailable } from '../../../lambdas/domain/platform/errors.ts';
import { handler as failBark } from '../../../lambdas/jobs/fail-bark.ts';
import { handler as performBark } from '../../../lambdas/jobs/perform-bark.ts';
import { context, sampleEvent } from '../../../tools/invocation.ts';
import { useDatabase } from '../../support/database.ts';
import { injectFaults, plan, reset } from '../../support/faults.ts';

jest.spyOn(console, 'error').mockImplementation(() => {});
useDatabase();
beforeAll(injectFaults);
beforeEach(reset);

const run: Context = { ...context(30_000), awsRequestId: 'first' };

function newContext() {
  return { now: Date.now(), signal: AbortSignal.timeout(8_000) };
}

async function pendingBark(dog: string): Promise<{ dog: string; bark: string }> {
  await putDog(
    dog,
    { email: undefined, owner: undefined, barkEffects: ['record'], barkHandling: 'async' },
    {},
    newContext(),
  );
  const outcome = await createBark(dog, {}, newContext());
  if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
  return { dog, bark: outcome.bark.id };
}

test('PerformBark performs the bark in its input', async () => {
  const input = await pendingBark('rex');
  await performBark(input, run);
  expect(await readBark(input.dog, input.bark, newContext())).toMatchObject({ status: 'complete' });
});

test('PerformBark throws NotYet while the bark is not written, so that the workflow retries the task', async () => {
  const { dog } = await pendingBark('record-async');
  const input = sampleEvent<{ dog: string; bark: string }>('PerformBark');
  expect(input.dog).toBe(dog);
  await expect(performBark(input, run)).rejects.toThrow(NotYet);
});

test('PerformBark succeeds without an effect for a deleted dog', async () => {
  await performBark({ dog: 'gone', bark: 'a01KAK0XW00ABCDEFGHJKMNPQRS' }, run);
});

test('PerformBark throws Unavailable before the timeout', async () => {
  plan('GetItem', 'hangs');
  await expect(performBark(sampleEvent('PerformBark'), context(1_100))).rejects.toThrow(Unavailable);
});

test('FailBark fails the bark in the input of the workflow, to which the catch has added the error', async () => {
  const input = await pendingBark('max');
  await failBark({ ...input, error: { Error: 'Unavailable', Cause: '' } }, run);
  expect(await readBark(input.dog, input.bark, newContext())).toMatchObject({ status: 'failed' });
});

test('FailBark fails the bark in the event that EventBridge sends at the end of an execution', async () => {
  const input = await pendingBark('bello');
  const event = sampleEvent<{ detail: object }>('FailBark');
  await failBark({ ...event, detail: { ...event.detail, input: JSON.stringify(input) } }, run);
  expect(await readBark(input.dog, input.bark, newContext())).toMatchObject({ status: 'failed' });
});

test('FailBark throws InvalidEvent for an event without the input, which EventBridge leaves out if it is too long', async () => {
  const event = sampleEvent<{ detail: object }>('FailBark');
  await expect(failBark({ ...event, detail: { ...event.detail, input: null } }, run)).rejects.toThrow(
    InvalidEvent,
  );
});

test('FailBark succeeds without an effect for an unknown bark', async () => {
  await failBark(sampleEvent('FailBark'), run);
});
