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
import { StateMismatch } from '../../../../lambdas/domain/dogs/precondition.ts';
import { Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { endSchedule, postSchedule } from '../../../../lambdas/domain/schedules/change.ts';
import { appliedPost } from '../../../../lambdas/domain/schedules/decisions.ts';
import { at, newContext } from '../../../support/context.ts';
import { barkEnvironment } from '../../../support/environment.ts';
import { setLimits } from '../../../support/limits.ts';
import { mockClient } from '../../../support/mock-client.ts';
import { patch, post } from '../../../support/schedules.ts';

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
    ...barkEnvironment,
  });
  setLimits({ barksPerDog: 1 });
});
afterAll(() => setLimits(undefined));

beforeEach(() => {
  for (const client of [dynamodb, scheduler]) client.reset();
  scheduler.on(CreateScheduleCommand).resolves({}).on(DeleteScheduleCommand).resolves({});
  dynamodb.on(BatchGetCommand).resolves({ Responses: { dogs: [dog] } });
});

const made = () => scheduler.calls().map(({ args }) => args[0].constructor.name);

describe('A change', () => {
  const applied = { ...appliedPost({ token: 1, next: 0, frequency: 10 }), dog: 'rex', incarnation: 'now' };
  /** Makes the reads return these items of the barks table, and the last one from then on. */
  const read = (...items: readonly object[]) => {
    for (const item of items.slice(0, -1))
      dynamodb.on(BatchGetCommand).resolvesOnce({ Responses: { dogs: [dog], barks: [item] } });
    dynamodb.on(BatchGetCommand).resolves({ Responses: { dogs: [dog], barks: items.slice(-1) } });
  };
  const transactions = () => dynamodb.commandCalls(TransactWriteCommand).length;
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

  test('that changes nothing is stored', async () => {
    expect(await patch('rex', { barks: null })).toBe('unchanged');
    expect([transactions(), made()]).toEqual([1, []]);
  });
});

describe('A new schedule', () => {
  test.each<[string, number, number, boolean]>([
    ['begins now', 0, at - 1, true],
    ['begins at the time of the last occurrence', 0, at, false],
    ['begins later', at + 60, at - 600, false],
  ])('that %s advances the last occurrence of the dog only if it barks later', async (_, ...given) => {
    const [next, lastOccurrence, advances] = given;
    dynamodb
      .on(BatchGetCommand)
      .resolves({ Responses: { dogs: [{ ...dog, lastOccurrence }] } })
      .on(TransactWriteCommand)
      .resolves({});
    await post('rex', 1, { next });
    const [call] = dynamodb.commandCalls(TransactWriteCommand);
    const actions = call?.args[0].input.TransactItems ?? [];
    const change = actions.find(({ Update }) => Update?.TableName === 'dogs')?.Update?.UpdateExpression;
    expect(change).toContain('settingsVersion :one');
    expect(change?.includes('lastOccurrence = :to')).toBe(advances);
  });

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
