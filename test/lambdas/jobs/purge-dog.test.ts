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

test('The sample event is understood', async () => {
  await handler(sampleEvent<DynamoDBStreamEvent>('PurgeDog'), context(60_000));
  expect(calls()).toEqual(['GetItem', 'Query']);
});

test('A dog that a restore has brought back keeps all that it has', async () => {
  const dog = await putDog('back', settings, {}, newContext());
  await createBark('back', {}, newContext());
  await postSchedule('back', { token: 1, next: 0, frequency: 10 }, newContext());
  const { schedule } = await readDog('back', newContext());
  reset();
  await handler(removalOf('back', dog?.incarnation ?? '', schedule?.scheduleId), context(60_000));
  expect(calls()).toEqual(['GetItem']);
});

test('What a removed dog left is deleted, and a second delivery finds nothing', async () => {
  const dog = await putDog('rex', settings, {}, newContext());
  await createBark('rex', {}, newContext());
  await deleteDog('rex', {}, newContext());
  reset();
  await handler(removalOf('rex', dog?.incarnation ?? ''), context(60_000));
  await handler(removalOf('rex', dog?.incarnation ?? ''), context(60_000));
  expect(calls()).toEqual(['GetItem', 'Query', 'DeleteItem', 'GetItem', 'Query']);
});

test("A removed dog's schedule is forgotten by the scheduler, however often the event comes", async () => {
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

test('A purge that cannot go on fails, so that the stream delivers the event again', async () => {
  plan('Query', 'hangs');
  await expect(handler(removalOf('rex', '01KAK0XW00ABCDEFGHJKMNPQRS'), context(5_100))).rejects.toThrow(
    Unavailable,
  );
});

test('An event with a record that is not the removal of a dog is refused before any dog is purged', async () => {
  const [removal] = removalOf('rex', '01KAK0XW00ABCDEFGHJKMNPQRS').Records;
  const Records = [removal, { dynamodb: {} }];
  await expect(handler({ Records }, context(60_000))).rejects.toThrow(InvalidEvent);
  expect(calls()).toEqual([]);
});
