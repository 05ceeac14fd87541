import type { DynamoDBStreamEvent } from 'aws-lambda';
import { createBark } from '../../../lambdas/domain/barks/create.ts';
import type { DogSettings } from '../../../lambdas/domain/dogs/dog.ts';
import { deleteDog, putDog, readDog } from '../../../lambdas/domain/dogs/repository.ts';
import { InvalidEvent, Unavailable } from '../../../lambdas/domain/platform/errors.ts';
import { postSchedule } from '../../../lambdas/domain/schedules/post.ts';
import { handler } from '../../../lambdas/jobs/purge-dog.ts';
import { context, sampleEvent } from '../../../tools/invocation.ts';
import { useDatabase } from '../../support/database.ts';
import { calls, injectFaults, plan, reset, standing } from '../../support/faults.ts';

useDatabase();
beforeAll(injectFaults);
beforeEach(reset);

function newContext() {
  return { now: Date.now(), signal: AbortSignal.timeout(8_000) };
}

const settings: DogSettings = {
  email: undefined,
  owner: undefined,
  barkEffects: ['record'],
  barkHandling: 'sync',
};

function removalOf(id: string, incarnation: string, scheduleId?: string): DynamoDBStreamEvent {
  const schedule = scheduleId === undefined ? {} : { schedule: { M: { scheduleId: { S: scheduleId } } } };
  return {
    Records: [{ dynamodb: { OldImage: { id: { S: id }, incarnation: { S: incarnation }, ...schedule } } }],
  };
}

test('PurgeDog accepts the sample event', async () => {
  await handler(sampleEvent<DynamoDBStreamEvent>('PurgeDog'), context(60_000));
  expect(calls()).toEqual(['GetItem', 'Query']);
});

test('PurgeDog deletes no items of a dog that a restore has brought back', async () => {
  const dog = await putDog('back', settings, {}, newContext());
  await createBark('back', {}, newContext());
  await postSchedule('back', { token: 1, next: 0, frequency: 10 }, newContext());
  const { schedule } = await readDog('back', newContext());
  reset();
  await handler(removalOf('back', dog?.incarnation ?? '', schedule?.scheduleId), context(60_000));
  expect(calls()).toEqual(['GetItem']);
});

test('PurgeDog deletes the barks of a deleted dog, and finds nothing when the event is delivered again', async () => {
  const dog = await putDog('rex', settings, {}, newContext());
  await createBark('rex', {}, newContext());
  await deleteDog('rex', {}, newContext());
  reset();
  await handler(removalOf('rex', dog?.incarnation ?? ''), context(60_000));
  await handler(removalOf('rex', dog?.incarnation ?? ''), context(60_000));
  expect(calls()).toEqual(['GetItem', 'Query', 'DeleteItem', 'GetItem', 'Query']);
});

test('PurgeDog deletes the schedule of a deleted dog, even if the event is delivered again', async () => {
  const dog = await putDog('max', settings, {}, newContext());
  await postSchedule('max', { token: 1, next: 0, frequency: 10 }, newContext());
  const { schedule } = await readDog('max', newContext());
  await deleteDog('max', {}, newContext());
  const event = removalOf('max', dog?.incarnation ?? '', schedule?.scheduleId);
  plan('DeleteSchedule', 'throttled', 99);
  await expect(handler(event, context(60_000))).rejects.toThrow(Unavailable);
  reset();
  expect(standing('max')).toHaveLength(1);
  await handler(event, context(60_000));
  await handler(event, context(60_000));
  expect(standing('max')).toEqual([]);
});

test('PurgeDog throws Unavailable before the timeout, so that Lambda reads the record again', async () => {
  plan('Query', 'hangs');
  await expect(handler(removalOf('rex', '01KAK0XW00ABCDEFGHJKMNPQRS'), context(5_100))).rejects.toThrow(
    Unavailable,
  );
});

test('PurgeDog throws InvalidEvent before it purges any dog if a record is not the removal of a dog', async () => {
  const [removal] = removalOf('rex', '01KAK0XW00ABCDEFGHJKMNPQRS').Records;
  const Records = [removal, { dynamodb: {} }];
  await expect(handler({ Records }, context(60_000))).rejects.toThrow(InvalidEvent);
  expect(calls()).toEqual([]);
});
