import type { DynamoDBStreamEvent } from 'aws-lambda';
import { InvalidEvent } from '../../../lambdas/domain/platform/event.ts';
import { handler } from '../../../lambdas/jobs/purge-dog.ts';
import { context, sampleEvent } from '../../../tools/invocation.ts';
import { calls, useFunctions } from '../../support/faults.ts';

useFunctions();

const sample = sampleEvent<DynamoDBStreamEvent>('PurgeDog');

describe('PurgeDog', () => {
  test('accepts the sample event', async () => {
    await handler(sample, context(60_000));
    expect(calls()).toEqual(['GetItem', 'Query']);
  });

  test('throws InvalidEvent before it purges any dog if a record is not the removal of a dog', async () => {
    const event = { Records: [...sample.Records, { dynamodb: {} }] };
    await expect(handler(event, context())).rejects.toThrow(InvalidEvent);
    expect(calls()).toEqual([]);
  });
});
