import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { type DogTime, writeWithLastModified } from '../../../../lambdas/domain/dogs/last-modified.ts';
import { type Action, transact } from '../../../../lambdas/domain/platform/dynamodb.ts';
import { mockClient } from '../../../support/mock-client.ts';

const dynamodb = mockClient(DynamoDBDocumentClient);
const now = Date.UTC(2026, 10, 21, 12);

function context() {
  return { now, signal: AbortSignal.timeout(8_000) };
}

function put(id: string): Action {
  return { Put: { TableName: 'table', Item: { id } } };
}

describe('writeWithLastModified', () => {
  test('repeats a transaction with the time of the dog if that time is ahead', async () => {
    const stored = now / 1000 + 2;
    const Item = { lastModified: { N: String(stored) } };
    const cancelled = new TransactionCanceledException({
      $metadata: {},
      message: '',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item }],
    });
    dynamodb.on(TransactWriteCommand).rejectsOnce(cancelled).resolves({});
    const times: DogTime[] = [];
    const write = (time: DogTime) => {
      times.push(time);
      return transact({ historyEntry: put('entry'), dog: put('dog') }, context());
    };
    await writeWithLastModified(write, context());
    expect(times).toEqual([
      { lastModified: now / 1000, latestStored: now / 1000 },
      { lastModified: stored, latestStored: stored },
    ]);
  });
});
