import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { changeDog } from '../../../../lambdas/domain/dogs/change.ts';
import { commit } from '../../../../lambdas/domain/platform/commit.ts';
import { at, newContext } from '../../../support/context.ts';
import { mockClient } from '../../../support/mock-client.ts';

const dynamodb = mockClient(DynamoDBDocumentClient);

beforeAll(() => {
  process.env.DOGS_TABLE = 'dogs';
});

beforeEach(() => dynamodb.reset());

/** Returns a dog that was last modified at a time in Unix seconds, as DynamoDB returns it. */
function dogModifiedAt(time: number) {
  return { lastModified: { N: String(time) } };
}

/** Returns the error of a write to a dog that was last modified at a time in Unix seconds. */
function failureOf(time: number): Error {
  return new ConditionalCheckFailedException({ $metadata: {}, message: '', Item: dogModifiedAt(time) });
}

/** Changes a dog. @returns `written`, or `refused` if the time of the dog is not the cause of the failure */
function change({ isClientChange = false, isSingle = true } = {}): Promise<'written' | 'refused'> {
  const judgement = {
    judge: () => ({ refusal: 'refused' }),
    ...(isSingle && { isOwn: () => false }),
  } as const;
  const dog = changeDog('rex', { isClientChange }, judgement, newContext());
  return commit(
    { dog },
    { written: () => 'written' as const, refused: { dog: () => 'refused' as const } },
    newContext(),
  );
}

/** Returns the times of the sent writes. */
function times() {
  const transactions = dynamodb.commandCalls(TransactWriteCommand);
  const updates = [
    ...dynamodb.commandCalls(UpdateCommand).map(({ args }) => args[0].input),
    ...transactions.flatMap(({ args }) => args[0].input.TransactItems?.map(({ Update }) => Update) ?? []),
  ];
  return updates.map((update) => {
    const { ':lastModified': lastModified, ':latestStored': latestStored } =
      update?.ExpressionAttributeValues ?? {};
    return { lastModified, latestStored };
  });
}

describe('changeDog', () => {
  test.each([
    ['a bark', false, 5, 5],
    ['a bark', false, 6, 7],
    ['a change by a client', true, 1, 1],
    ['a change by a client', true, 2, 3],
  ])(
    'repeats %s (%p) if the stored time is %i s ahead, and stores a time that is %i s ahead',
    async (_, isClientChange, ahead, changed) => {
      dynamodb
        .on(UpdateCommand)
        .rejectsOnce(failureOf(at + ahead))
        .resolves({});
      expect(await change({ isClientChange })).toBe('written');
      expect(times()).toEqual([
        { lastModified: at, latestStored: at },
        { lastModified: at + changed, latestStored: at + ahead },
      ]);
    },
  );

  test.each([
    ['the time of the dog is not ahead', failureOf(at)],
    ['the dog does not exist', new ConditionalCheckFailedException({ $metadata: {}, message: '' })],
  ])('refuses if %s', async (_, error) => {
    dynamodb.on(UpdateCommand).rejects(error);
    expect(await change()).toBe('refused');
    expect(times()).toHaveLength(1);
  });

  test('repeats a transaction with the time of the dog', async () => {
    const CancellationReasons = [{ Code: 'ConditionalCheckFailed', Item: dogModifiedAt(at + 2) }];
    dynamodb
      .on(TransactWriteCommand)
      .rejectsOnce(new TransactionCanceledException({ $metadata: {}, message: '', CancellationReasons }))
      .resolves({});
    expect(await change({ isSingle: false })).toBe('written');
    expect(times().map(({ lastModified }) => lastModified)).toEqual([at, at + 2]);
  });
});
