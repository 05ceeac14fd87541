import { jest } from '@jest/globals';
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

test('The task performs the bark that its input names', async () => {
  const input = await pendingBark('rex');
  await performBark(input, run);
  expect(await readBark(input.dog, input.bark, newContext())).toMatchObject({ status: 'complete' });
});

test('The task fails while the bark is not written, so that the workflow tries it again', async () => {
  const { dog } = await pendingBark('record-async');
  const input = sampleEvent<{ dog: string; bark: string }>('PerformBark');
  expect(input.dog).toBe(dog);
  await expect(performBark(input, run)).rejects.toThrow(NotYet);
});

test('The task has nothing to do for a dog that was deleted, and its bark with it', async () => {
  await performBark({ dog: 'gone', bark: 'a01KAK0XW00ABCDEFGHJKMNPQRS' }, run);
});

test('The task ends before its time is up', async () => {
  plan('GetItem', 'hangs');
  await expect(performBark(sampleEvent('PerformBark'), context(1_100))).rejects.toThrow(Unavailable);
});

test('A bark is given up by the workflow, with what the catch added to the input', async () => {
  const input = await pendingBark('max');
  await failBark({ ...input, error: { Error: 'Unavailable', Cause: '' } }, run);
  expect(await readBark(input.dog, input.bark, newContext())).toMatchObject({ status: 'failed' });
});

test('A bark is given up by the rule on the end of its execution', async () => {
  const input = await pendingBark('bello');
  const event = sampleEvent<{ detail: object }>('FailBark');
  await failBark({ ...event, detail: { ...event.detail, input: JSON.stringify(input) } }, run);
  expect(await readBark(input.dog, input.bark, newContext())).toMatchObject({ status: 'failed' });
});

test('The end of an execution whose input EventBridge leaves out, since it is too long, is none of a bark', async () => {
  const event = sampleEvent<{ detail: object }>('FailBark');
  await expect(failBark({ ...event, detail: { ...event.detail, input: null } }, run)).rejects.toThrow(
    InvalidEvent,
  );
});

test('The sample event of a bark that is not there does nothing', async () => {
  await failBark(sampleEvent('FailBark'), run);
});
