import type { DynamoDBStreamEvent } from 'aws-lambda';
import { bark } from '../../../lambdas/domain/barking.ts';
import { putDog } from '../../../lambdas/domain/dogs.ts';
import { Unavailable } from '../../../lambdas/domain/errors.ts';
import { handler } from '../../../lambdas/jobs/purge-dog.ts';
import { useDatabase } from '../../support/database.ts';
import { calls, injectFaults, plan, reset } from '../../support/faults.ts';
import { context, sampleEvent } from '../../support/invoke.ts';

useDatabase();
beforeAll(injectFaults);
beforeEach(reset);

function call() {
  return { now: Date.now(), signal: AbortSignal.timeout(8_000) };
}

function removalOf(id: string, life: string): DynamoDBStreamEvent {
  return { Records: [{ dynamodb: { OldImage: { id: { S: id }, life: { S: life } } } }] };
}

test('The sample event is understood', async () => {
  await handler(sampleEvent<DynamoDBStreamEvent>('PurgeDog'), context(60_000));
  expect(calls()).toEqual(['Query']);
});

test('What a removed dog left is deleted, and a second delivery finds nothing', async () => {
  const settings = {
    email: undefined,
    owner: undefined,
    barkEffects: ['record' as const],
    barkHandling: 'sync' as const,
  };
  const dog = await putDog('rex', settings, {}, call());
  await bark('rex', {}, call());
  reset();
  await handler(removalOf('rex', dog?.life ?? ''), context(60_000));
  await handler(removalOf('rex', dog?.life ?? ''), context(60_000));
  expect(calls()).toEqual(['Query', 'DeleteItem', 'Query']);
});

test('A purge that cannot go on fails, so that the stream delivers the event again', async () => {
  plan('Query', 'hangs');
  await expect(handler(removalOf('rex', 'life'), context(5_100))).rejects.toThrow(Unavailable);
});

test('An event that is no removal of a dog fails loudly', async () => {
  await expect(handler({ Records: [{ dynamodb: {} }] }, context(60_000))).rejects.toThrow(
    'not the removal of a dog',
  );
});
