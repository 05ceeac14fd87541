import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { type DogTime, writeWithLastModified } from '../../../../lambdas/domain/dogs/last-modified.ts';
import { transact } from '../../../../lambdas/domain/platform/dynamodb.ts';
import { at, newContext } from '../../../support/context.ts';
import { mockClient } from '../../../support/mock-client.ts';

const dynamodb = mockClient(DynamoDBDocumentClient);

/** Returns the item of a failed condition: a dog that was last modified at a time in Unix seconds. */
function dogModifiedAt(time: number) {
  return { lastModified: { N: String(time) } };
}

/** Returns the error of a write to a dog that was last modified at a time in Unix seconds. */
function failureOf(time: number): Error {
  return new ConditionalCheckFailedException({ $metadata: {}, message: '', Item: dogModifiedAt(time) });
}

describe('writeWithLastModified', () => {
  test.each([
    ['a bark', false, 5, 5],
    ['a bark', false, 6, 7],
    ['a change by a client', true, 1, 1],
    ['a change by a client', true, 2, 3],
  ])(
    'repeats %s (%p) if the stored time is %i s ahead, and stores a time that is %i s ahead',
    async (_, isClientChange, ahead, changed) => {
      const times: DogTime[] = [];
      const write = async (time: DogTime) => {
        if (times.push(time) === 1) throw failureOf(at + ahead);
        return 'written';
      };
      expect(await writeWithLastModified(write, newContext(), { isClientChange })).toBe('written');
      expect(times).toEqual([
        { lastModified: at, latestStored: at },
        { lastModified: at + changed, latestStored: at + ahead },
      ]);
    },
  );

  test.each([
    ['the time of the dog is not ahead', failureOf(at)],
    ['the dog does not exist', new ConditionalCheckFailedException({ $metadata: {}, message: '' })],
    ['no condition has failed', new Error('another error')],
  ])('throws the error of the write if %s', async (_, error) => {
    await expect(writeWithLastModified(() => Promise.reject(error), newContext())).rejects.toBe(error);
  });

  test('repeats a transaction with the time of the dog', async () => {
    const cancelled = new TransactionCanceledException({
      $metadata: {},
      message: '',
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'ConditionalCheckFailed', Item: dogModifiedAt(at + 2) },
      ],
    });
    dynamodb.on(TransactWriteCommand).rejectsOnce(cancelled).resolves({});
    const times: number[] = [];
    const write = ({ lastModified }: DogTime) => {
      times.push(lastModified);
      const put = { Put: { TableName: 'table', Item: {} } };
      return transact({ historyEntry: put, dog: put }, newContext());
    };
    await writeWithLastModified(write, newContext());
    expect(times).toEqual([at, at + 2]);
  });
});
