import {
  ConditionalCheckFailedException,
  InternalServerError,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { CreateScheduleCommand, DeleteScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { endSchedule } from '../../../../lambdas/domain/schedules/change.ts';
import { at, newContext } from '../../../support/context.ts';
import { setLimits } from '../../../support/limits.ts';
import { mockClient } from '../../../support/mock-client.ts';
import { post } from '../../../support/schedules.ts';

/** The calls to EventBridge Scheduler after a write that failed. */

const dynamodb = mockClient(DynamoDBDocumentClient);
const scheduler = mockClient(SchedulerClient);

const dog = {
  id: 'rex',
  incarnation: 'now',
  version: 1,
  lastModified: at - 600,
  settingsVersion: 1,
  settingsModified: at - 600,
  settings: { barkEffects: ['record'], barkHandling: 'sync' },
  barkCount: 0,
};
const schedule = { scheduleId: 'own', start: at - 600, frequency: 10 };

beforeAll(() => {
  Object.assign(process.env, {
    DOGS_TABLE: 'dogs',
    BARKS_TABLE: 'barks',
    SCHEDULE_GROUP: 'dogs-test',
    SCHEDULE_TARGET_ARN: 'arn:aws:lambda:us-east-1:000000000000:function:target',
    SCHEDULE_ROLE_ARN: 'arn:aws:iam::000000000000:role/scheduler',
    SCHEDULE_DLQ_ARN: 'arn:aws:sqs:us-east-1:000000000000:schedule-dlq',
  });
  setLimits({ barksPerDog: 1 });
});
afterAll(() => setLimits(undefined));

beforeEach(() => {
  for (const client of [dynamodb, scheduler]) client.reset();
  scheduler.on(CreateScheduleCommand).resolves({}).on(DeleteScheduleCommand).resolves({});
  dynamodb.on(BatchGetCommand).resolves({ Responses: { dogs: [dog] } });
});

/** Returns the calls to EventBridge Scheduler. */
const made = () => scheduler.calls().map(({ args }) => args[0].constructor.name);

describe('A new schedule', () => {
  const passed = { Code: 'None' };
  const failed = { Code: 'ConditionalCheckFailed', Item: marshall({ barks: 1 }) };
  const limitReached = new TransactionCanceledException({
    $metadata: {},
    message: '',
    // Of the applied change, the history entry, the dog and the usage.
    CancellationReasons: [passed, passed, passed, failed],
  });

  test.each([
    ['repeats', 10, ['CreateScheduleCommand', 'DeleteScheduleCommand']],
    ['has no further occurrence', null, []],
  ])('that %s is deleted after a refusal only if it was created', async (_, frequency, expected) => {
    dynamodb.on(TransactWriteCommand).rejects(limitReached);
    await expect(post('rex', 1, { frequency })).rejects.toMatchObject({ name: 'LimitReached' });
    expect(made()).toEqual(expected);
  });

  test('is not deleted after an outage, because it may be in effect', async () => {
    dynamodb.on(TransactWriteCommand).rejects(new InternalServerError({ $metadata: {}, message: '' }));
    await expect(post('rex', 1)).rejects.toThrow(Unavailable);
    expect(made()).toEqual(['CreateScheduleCommand']);
  });
});

describe('endSchedule, if the condition of its write failed,', () => {
  const ended = { ...dog, schedule: { ...schedule, ended: true } };

  async function end(stored: object) {
    dynamodb
      .on(GetCommand)
      .resolvesOnce({ Item: { ...dog, schedule } })
      .resolves({ Item: ended });
    const failure = { $metadata: {}, message: '', Item: marshall(stored) };
    dynamodb.on(UpdateCommand).rejects(new ConditionalCheckFailedException(failure));
    await endSchedule('rex', newContext());
    return { reads: dynamodb.commandCalls(GetCommand).length, calls: made() };
  }

  test('deletes the schedule if an earlier attempt has ended it', async () => {
    expect(await end(ended)).toEqual({ reads: 1, calls: ['DeleteScheduleCommand'] });
  });

  test.each([
    ['another incarnation', { ...ended, incarnation: 'later' }],
    ['another schedule', { ...ended, schedule: { ...ended.schedule, scheduleId: 'other' } }],
    ['a schedule that has not ended', { ...dog, schedule }],
    ['no schedule', dog],
  ])('reads the dog again if it has %s', async (_, stored) => {
    expect(await end(stored)).toEqual({ reads: 2, calls: [] });
  });
});
