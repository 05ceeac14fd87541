import type { DynamoDBStreamEvent } from 'aws-lambda';
import { createBark } from '../../../lambdas/domain/barks/create.ts';
import { readDog } from '../../../lambdas/domain/dogs/read.ts';
import { InvalidEvent } from '../../../lambdas/domain/platform/errors.ts';
import { handler } from '../../../lambdas/jobs/purge-dog.ts';
import { context, sampleEvent } from '../../../tools/invocation.ts';
import { newContext } from '../../support/context.ts';
import { newDog } from '../../support/dogs.ts';
import { calls, reset, useFunctions } from '../../support/faults.ts';
import { post } from '../../support/schedules.ts';

useFunctions();

const purge = (event: DynamoDBStreamEvent) => handler(event, context(60_000));

/** Creates a dog with a bark and a schedule, and returns its ID and the event of its removal from the table. */
async function busyDog(): Promise<{ dog: string; removal: DynamoDBStreamEvent }> {
  const dog = await newDog('sync', ['record']);
  await createBark(dog, {}, newContext());
  await post(dog, 1, { next: newContext().now / 1000 + 600 });
  const { incarnation, schedule } = await readDog(dog, newContext());
  const OldImage = {
    id: { S: dog },
    incarnation: { S: incarnation },
    schedule: { M: { scheduleId: { S: schedule?.scheduleId ?? '' } } },
  };
  return { dog, removal: { Records: [{ dynamodb: { OldImage } }] } };
}

describe('PurgeDog', () => {
  test('accepts the sample event', async () => {
    await purge(sampleEvent<DynamoDBStreamEvent>('PurgeDog'));
    expect(calls()).toEqual(['GetItem', 'Query']);
  });

  test('deletes no items of a dog that a restore has brought back', async () => {
    const { removal } = await busyDog();
    reset();
    await purge(removal);
    expect(calls()).toEqual(['GetItem']);
  });

  test('throws InvalidEvent before it purges any dog if a record is not the removal of a dog', async () => {
    const [removal] = (await busyDog()).removal.Records;
    reset();
    await expect(purge({ Records: [removal ?? {}, { dynamodb: {} }] })).rejects.toThrow(InvalidEvent);
    expect(calls()).toEqual([]);
  });
});
