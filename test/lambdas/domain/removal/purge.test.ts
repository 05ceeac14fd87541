import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { purgeOrphans } from '../../../../lambdas/domain/removal/orphans.ts';
import { purgeDog } from '../../../../lambdas/domain/removal/purge.ts';
import { newContext } from '../../../support/context.ts';
import { mockClient } from '../../../support/mock-client.ts';

const dynamodb = mockClient(DynamoDBDocumentClient);
const scheduler = mockClient(SchedulerClient);

beforeAll(() => {
  Object.assign(process.env, { DOGS_TABLE: 'dogs', BARKS_TABLE: 'barks', SCHEDULE_GROUP: 'dogs-test' });
});

beforeEach(() => {
  for (const client of [dynamodb, scheduler]) client.reset();
  dynamodb.on(GetCommand).resolves({}).on(QueryCommand).resolves({}).on(DeleteCommand).resolves({});
  scheduler.on(DeleteScheduleCommand).resolves({});
});

const gone = { id: 'rex', incarnation: 'former' };
const query = {
  TableName: 'barks',
  KeyConditionExpression: 'dog = :dog',
  FilterExpression: 'incarnation = :incarnation',
  ExpressionAttributeValues: { ':dog': 'rex', ':incarnation': 'former' },
  ProjectionExpression: 'sk',
  Limit: 50,
  ConsistentRead: true,
};
const removalOf = (sk: string) => ({
  TableName: 'barks',
  Key: { dog: 'rex', sk },
  ConditionExpression: 'incarnation = :incarnation',
  ExpressionAttributeValues: { ':incarnation': 'former' },
});
/** Returns the inputs of the calls after the read of the dog. */
const made = () =>
  dynamodb
    .calls()
    .slice(1)
    .map(({ args }) => args[0].input);

describe('purgeDog', () => {
  test('deletes the items of all pages, each only if it belongs to the incarnation', async () => {
    dynamodb
      .on(QueryCommand)
      .resolvesOnce({ Items: [{ sk: 'b#1' }, { sk: 'b#2' }], LastEvaluatedKey: { dog: 'rex', sk: 'b#2' } })
      .resolves({});
    expect(await purgeDog(gone, newContext())).toBe(2);
    const next = { ...query, ExclusiveStartKey: { dog: 'rex', sk: 'b#2' } };
    expect(made()).toEqual([query, removalOf('b#1'), removalOf('b#2'), next]);
    expect(scheduler.calls()).toEqual([]);
  });

  test('first deletes the schedule of the dog', async () => {
    scheduler.on(DeleteScheduleCommand).rejects(new Error('no permission'));
    const purge = purgeDog({ ...gone, schedule: { scheduleId: 'id' } }, newContext());
    await expect(purge).rejects.toThrow('no permission');
    const inputs = scheduler.calls().map(({ args }) => args[0].input);
    expect([inputs, made()]).toEqual([[{ GroupName: 'dogs-test', Name: 'rex.id' }], []]);
  });

  test('ignores an item that belongs to another incarnation by now, and throws any other error', async () => {
    dynamodb.on(QueryCommand).resolves({ Items: [{ sk: 'b#1' }] });
    dynamodb
      .on(DeleteCommand)
      .rejectsOnce(new ConditionalCheckFailedException({ $metadata: {}, message: '' }))
      .rejects(new Error('no permission'));
    expect(await purgeDog(gone, newContext())).toBe(1);
    await expect(purgeDog(gone, newContext())).rejects.toThrow('no permission');
  });

  test('does nothing if a restore has brought the incarnation back', async () => {
    dynamodb.on(GetCommand).resolves({ Item: gone });
    expect(await purgeDog(gone, newContext())).toBe(0);
    expect(made()).toEqual([]);
  });
});

test('purgeOrphans scans all pages, and purges each owner of a page once', async () => {
  const owners = ['rex', 'rex', 'ada'].map((dog) => ({ dog, incarnation: 'former' }));
  dynamodb
    .on(ScanCommand)
    .resolvesOnce({ Items: owners, LastEvaluatedKey: { dog: 'ada', sk: 'b#9' } })
    .resolves({});
  dynamodb.on(QueryCommand, query).resolves({ Items: [{ sk: 'b#1' }, { sk: 'b#2' }] });
  expect(await purgeOrphans(newContext)).toEqual({ dogs: 1, items: 2 });
  const scan = {
    TableName: 'barks',
    ProjectionExpression: 'dog, incarnation',
    FilterExpression: 'attribute_exists(incarnation)',
    ConsistentRead: true,
  };
  const inputs = dynamodb.commandCalls(ScanCommand).map(({ args }) => args[0].input);
  expect(inputs).toEqual([scan, { ...scan, ExclusiveStartKey: { dog: 'ada', sk: 'b#9' } }]);
  expect(dynamodb.commandCalls(QueryCommand)).toHaveLength(2);
});
