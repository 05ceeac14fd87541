import {
  ConditionalCheckFailedException,
  InternalServerError,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { CreateScheduleCommand, DeleteScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { StateMismatch, Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { endSchedule, postSchedule } from '../../../../lambdas/domain/schedules/change.ts';
import { appliedPost } from '../../../../lambdas/domain/schedules/decisions.ts';
import { at, newContext } from '../../../support/context.ts';
import { barkEnvironment } from '../../../support/environment.ts';
import { setLimits } from '../../../support/limits.ts';
import { mockClient } from '../../../support/mock-client.ts';
import { post } from '../../../support/schedules.ts';

/** What follows from the reads and the writes of a change, and its calls to EventBridge Scheduler. */

const dynamodb = mockClient(DynamoDBDocumentClient);
const scheduler = mockClient(SchedulerClient);
const ses = mockClient(SESClient);

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
    ...barkEnvironment,
  });
  setLimits({ barksPerDog: 1 });
});
afterAll(() => setLimits(undefined));

beforeEach(() => {
  for (const client of [dynamodb, scheduler, ses]) client.reset();
  scheduler.on(CreateScheduleCommand).resolves({}).on(DeleteScheduleCommand).resolves({});
  dynamodb.on(BatchGetCommand).resolves({ Responses: { dogs: [dog] } });
});

/** Returns the calls to EventBridge Scheduler. */
const made = () => scheduler.calls().map(({ args }) => args[0].constructor.name);

describe('A change', () => {
  const applied = { ...appliedPost({ token: 1, next: 0, frequency: 10 }), dog: 'rex', incarnation: 'now' };
  /** Makes the reads return these items of the barks table, and the last one from then on. */
  const read = (...items: readonly object[]) => {
    for (const item of items.slice(0, -1))
      dynamodb.on(BatchGetCommand).resolvesOnce({ Responses: { dogs: [dog], barks: [item] } });
    dynamodb.on(BatchGetCommand).resolves({ Responses: { dogs: [dog], barks: items.slice(-1) } });
  };
  beforeEach(() => void dynamodb.on(TransactWriteCommand).resolves({}));

  test('is a repeat if only a second read finds that it was applied, and fails otherwise', async () => {
    const former = { ...applied, incarnation: 'former' };
    const request = { token: 1, next: 0, frequency: 10, precondition: { match: [] } };
    const refused = () => postSchedule('rex', request, newContext());
    read(former, applied);
    expect(await refused()).toBe('repeated');
    read(former);
    await expect(refused()).rejects.toThrow(StateMismatch);
  });
});

describe('A new schedule', () => {
  test('replaces the former one, and the bark that it begins with sends its mail', async () => {
    const settings = { ...dog.settings, barkEffects: ['emailDog'], email: 'rex@example.com' };
    const former = { ...dog, mailKey: 'key', settings, schedule: { ...schedule, lastOccurrence: at - 600 } };
    dynamodb
      .on(BatchGetCommand)
      .resolves({ Responses: { dogs: [former] } })
      .on(TransactWriteCommand)
      .resolves({});
    ses.on(SendRawEmailCommand).resolves({});
    expect(await post('rex', 1)).toBe('changed');
    expect(made()).toEqual(['CreateScheduleCommand', 'DeleteScheduleCommand']);
    expect(ses.commandCalls(SendRawEmailCommand)).toHaveLength(1);
  });

  const passed = { Code: 'None' };
  const failed = { Code: 'ConditionalCheckFailed', Item: marshall({ barks: 1 }) };
  // Of the applied change, the history entry, the dog and the usage.
  const cancelled = (...CancellationReasons: object[]) =>
    new TransactionCanceledException({ $metadata: {}, message: '', CancellationReasons });
  const limitReached = cancelled(passed, passed, passed, failed);

  test.each([
    ['repeats', 10, ['CreateScheduleCommand', 'DeleteScheduleCommand']],
    ['has no further occurrence', null, []],
  ])('that %s is deleted after a refusal only if it was created', async (_, frequency, expected) => {
    dynamodb.on(TransactWriteCommand).rejects(limitReached);
    await expect(post('rex', 1, { frequency })).rejects.toMatchObject({ name: 'LimitReached' });
    expect(made()).toEqual(expected);
  });

  test('is deleted and created again if another change comes first', async () => {
    dynamodb
      .on(TransactWriteCommand)
      .rejectsOnce(cancelled(passed, passed, failed, passed))
      .resolves({});
    expect(await post('rex', 1)).toBe('changed');
    expect(made()).toEqual(['CreateScheduleCommand', 'DeleteScheduleCommand', 'CreateScheduleCommand']);
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
