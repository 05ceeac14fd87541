import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { type Activity, onActivity } from '../../../local/platform/activity.ts';
import { SchedulerEmulator } from '../../../local/scheduler/emulator.ts';
import { account, arn, region } from '../../../local/template/arns.ts';
import { Template } from '../../../local/template/template.ts';
import { serve } from '../../support/local-aws.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { deadLetterMessagesIn, openQueues } from '../../support/queues.ts';

const logged = jest.spyOn(console, 'log').mockImplementation(() => {});
const root = mkdtempSync(join(tmpdir(), 'scheduler-'));
afterAll(() => rmSync(root, { recursive: true }));

const functionArn = arn('lambda', 'function:Stack-Bark');
const queueArn = arn('sqs', 'Stack-Missed');
const roleArn = (name: string) => `arn:aws:iam::${account}:role/Stack-${name}`;
const scheduleArn = (name: string, group = 'dogs') => arn('scheduler', `schedule/${group}/${name}`);
const noon = '2026-11-21T12:00:00Z';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const roleFor = (Service: string, Condition?: object) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Statement: [
        {
          Effect: 'Allow',
          Action: 'sts:AssumeRole',
          Principal: { Service },
          ...(Condition && { Condition: { StringEquals: Condition } }),
        },
      ],
    },
  },
});
const groupArn = { 'Fn::GetAtt': ['Group', 'Arn'] };
const resources = {
  Group: { Type: 'AWS::Scheduler::ScheduleGroup', Properties: { Name: 'dogs' } },
  Bark: { Type: 'AWS::Lambda::Function' },
  Missed: { Type: 'AWS::SQS::Queue' },
  Role: roleFor('scheduler.amazonaws.com', { 'aws:SourceAccount': account, 'aws:SourceArn': groupArn }),
  FreeRole: roleFor('scheduler.amazonaws.com'),
  LambdaRole: roleFor('lambda.amazonaws.com'),
  OtherRole: roleFor('scheduler.amazonaws.com', {
    'aws:SourceArn': arn('scheduler', 'schedule/dogs/rex'),
  }),
};

/** Returns the template with the given schedules. */
function templateWith(schedules: Record<string, object>): Template {
  const entries = Object.entries(schedules).map(([logicalId, Properties]) => [
    logicalId,
    { Type: 'AWS::Scheduler::Schedule', Properties },
  ]);
  return new Template({ Resources: { ...Object.fromEntries(entries), ...resources } }, 'Stack');
}

let directory: string;
let clock: ManualClock;
let opened: (() => void)[];
beforeEach(() => {
  directory = mkdtempSync(join(root, 'data-'));
  clock = new ManualClock(noon);
  opened = [];
  logged.mockClear();
});
afterEach(stopAll);

function stopAll(): void {
  for (const stop of opened.splice(0)) stop();
}

type Put = (functionArn: string, event: unknown) => void;

/** Opens the emulator at an endpoint. Returns an SDK client that calls the emulator, and the list of its deliveries. */
async function open(
  put: Put = () => {},
  file = join(directory, 'schedules.sqlite'),
  schedules: Record<string, object> = {},
) {
  const events: unknown[] = [];
  const template = templateWith(schedules);
  const { queues, deadLetterQueues } = openQueues(template, directory, clock);
  const emulator = new SchedulerEmulator(template, file, {
    invocations: {
      put: (target, event) => {
        expect(target).toBe(functionArn);
        events.push(event);
        put(target, event);
      },
    },
    deadLetterQueues,
    clock,
  });
  const { endpoint, configuration } = await serve('scheduler', emulator.serve);
  const client = new SchedulerClient(configuration);
  opened.push(() => {
    emulator.stop();
    queues.stop();
    endpoint.close();
    client.destroy();
  });
  return {
    emulator,
    events,
    create: (changes: Changes = {}) => client.send(new CreateScheduleCommand(scheduleWith(changes))),
    update: (changes: Changes = {}) => client.send(new UpdateScheduleCommand(scheduleWith(changes))),
    get: (GroupName?: string) => client.send(new GetScheduleCommand({ Name: 'rex', GroupName })),
    remove: (GroupName?: string) => client.send(new DeleteScheduleCommand({ Name: 'rex', GroupName })),
    list: (query = {}) => client.send(new ListSchedulesCommand(query)),
  };
}

/** The differences between the schedule of a test and the default schedule. `undefined` removes a field. */
type Changes = {
  [field in keyof CreateScheduleCommandInput]?: CreateScheduleCommandInput[field] | undefined;
};

const target = { Arn: functionArn, RoleArn: roleArn('Role') };

function scheduleWith(changes: Changes): CreateScheduleCommandInput {
  return {
    Name: 'rex',
    GroupName: 'dogs',
    ScheduleExpression: 'rate(10 minutes)',
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: { ...target, Input: '{"at":"<aws.scheduler.scheduled-time>"}' },
    ...changes,
  } as CreateScheduleCommandInput;
}

/** Returns the events for occurrences at the given times of day. */
const at = (...times: string[]) => times.map((time) => ({ at: `2026-11-21T${time}:00Z` }));

const deadLetterMessages = () => deadLetterMessagesIn(directory, queueArn);

test('Each delivery of an occurrence is reported with the input of its target', async () => {
  const reports: Activity[] = [];
  const stop = onActivity((activity) => reports.push(activity));
  const { create } = await open();
  await create();
  await clock.advance(10 * minute);
  stop();
  expect(reports).toEqual(
    at('12:00', '12:10').map((input) => ({
      type: 'occurrence',
      schedule: scheduleArn('rex'),
      scheduledAt: input.at,
      input,
    })),
  );
});

describe('A schedule', () => {
  test('is created with the default values of the service', async () => {
    const { create, get } = await open();
    expect(await create()).toMatchObject({ ScheduleArn: scheduleArn('rex') });
    const { $metadata, ...schedule } = await get('dogs');
    expect(schedule).toEqual({
      Arn: scheduleArn('rex'),
      GroupName: 'dogs',
      Name: 'rex',
      ScheduleExpression: 'rate(10 minutes)',
      ScheduleExpressionTimezone: 'UTC',
      State: 'ENABLED',
      ActionAfterCompletion: 'NONE',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        ...scheduleWith({}).Target,
        RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
      },
      CreationDate: new Date(noon),
      LastModificationDate: new Date(noon),
    });
  });

  test('keeps all its fields', async () => {
    const { create, get } = await open();
    const given = scheduleWith({
      StartDate: new Date('2026-12-01T00:00:00Z'),
      EndDate: new Date('2026-12-02T00:00:00Z'),
      Description: 'Barks',
      State: 'DISABLED',
      ActionAfterCompletion: 'DELETE',
      Target: {
        ...target,
        Input: '{}',
        DeadLetterConfig: { Arn: queueArn },
        RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 },
      },
    });
    await create(given);
    expect(await get('dogs')).toMatchObject(given);
  });

  test('can be in the default group', async () => {
    const { create, get } = await open();
    await create({ GroupName: undefined, Target: { ...target, RoleArn: roleArn('FreeRole') } });
    expect(await get()).toMatchObject({ GroupName: 'default' });
    await expect(get('dogs')).rejects.toThrow('Schedule rex does not exist.');
  });

  test('can be created again with the same client token, but not with a different one', async () => {
    const { create } = await open();
    const { ScheduleArn } = await create({ ClientToken: 'one' });
    expect(await create({ ClientToken: 'one' })).toMatchObject({ ScheduleArn });
    await expect(create({ ClientToken: 'other' })).rejects.toMatchObject({
      name: 'ConflictException',
      message: 'Schedule rex already exists.',
      $metadata: { httpStatusCode: 409 },
    });
  });

  test('that is deleted no longer invokes its target', async () => {
    const { create, get, remove, events } = await open();
    await create({ StartDate: new Date('2026-11-21T12:01:00Z') });
    await remove('dogs');
    const gone = {
      name: 'ResourceNotFoundException',
      message: 'Schedule rex does not exist.',
      $metadata: { httpStatusCode: 404 },
    };
    await expect(get('dogs')).rejects.toMatchObject(gone);
    await expect(remove('dogs')).rejects.toMatchObject(gone);
    await clock.advance(hour);
    expect(events).toEqual([]);
  });
});

describe('An update', () => {
  test('replaces the schedule: omitted fields get their defaults, and the rate starts again', async () => {
    const { create, update, get, events } = await open();
    await create({ Description: 'Barks', StartDate: new Date('2026-11-21T13:00:00Z') });
    await clock.advanceTo('2026-11-21T12:30:00Z');
    await update({ ScheduleExpression: 'rate(1 hour)' });
    const schedule = await get('dogs');
    expect([schedule.Description, schedule.StartDate]).toEqual([undefined, undefined]);
    expect(schedule).toMatchObject({
      CreationDate: new Date(noon),
      LastModificationDate: new Date('2026-11-21T12:30:00Z'),
    });
    await clock.advanceTo('2026-11-21T14:00:00Z');
    expect(events).toEqual(at('12:30', '13:30'));
  });

  test('can disable a schedule', async () => {
    const { create, update, events } = await open();
    await create();
    await clock.advanceTo('2026-11-21T12:15:00Z');
    await update({ State: 'DISABLED' });
    await clock.advance(hour);
    expect(events).toEqual(at('12:00', '12:10'));
  });

  test('fails if the schedule does not exist', async () => {
    const { update } = await open();
    await expect(update()).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});

describe('A list of schedules', () => {
  async function withThree() {
    const scheduler = await open();
    const free = { ...target, RoleArn: roleArn('FreeRole') };
    await scheduler.create({ Name: 'rex-2' });
    await scheduler.create({ Name: 'rex-1', State: 'DISABLED' });
    await scheduler.create({ Name: 'bello', GroupName: 'default', Target: free });
    return scheduler;
  }

  test.each([
    [{}, ['bello', 'rex-1', 'rex-2']],
    [{ GroupName: 'dogs' }, ['rex-1', 'rex-2']],
    [{ GroupName: 'default' }, ['bello']],
    [{ NamePrefix: 'rex' }, ['rex-1', 'rex-2']],
    [{ NamePrefix: 'rex_' }, []],
    [{ GroupName: 'dogs', State: 'DISABLED' }, ['rex-1']],
    [{ MaxResults: 1 }, ['bello']],
  ])('by %j', async (query, names) => {
    const { list } = await withThree();
    const { Schedules } = await list(query);
    expect(Schedules?.map(({ Name }) => Name)).toEqual(names);
  });

  test('contains a summary of each schedule', async () => {
    const { list } = await withThree();
    expect((await list({ NamePrefix: 'rex-1' })).Schedules).toEqual([
      {
        Arn: scheduleArn('rex-1'),
        GroupName: 'dogs',
        Name: 'rex-1',
        State: 'DISABLED',
        Target: { Arn: functionArn },
        CreationDate: new Date(noon),
        LastModificationDate: new Date(noon),
      },
    ]);
  });

  test('is divided into pages', async () => {
    const { list } = await withThree();
    const names: (string | undefined)[] = [];
    let NextToken: string | undefined;
    do {
      const page = await list({ MaxResults: 2, ...(NextToken && { NextToken }) });
      names.push(...(page.Schedules ?? []).map(({ Name }) => Name));
      NextToken = page.NextToken;
    } while (NextToken);
    expect(names).toEqual(['bello', 'rex-1', 'rex-2']);
  });

  test.each([
    [{ GroupName: 'cats' }, 'Schedule group cats does not exist.'],
    [{ MaxResults: 101 }, 'MaxResults must be from 1 to 100.'],
    [{ NextToken: 'x' }, 'The NextToken is invalid.'],
  ])('by %j is refused', async (query, message) => {
    const { list } = await open();
    await expect(list(query)).rejects.toMatchObject({ message });
  });
});

describe('A request is refused and stores nothing if it has', () => {
  const policy = (RetryPolicy: object) => ({ Target: { ...target, RetryPolicy } });
  test.each<[string, Changes, string]>([
    ['a name with a space', { Name: 're x' }, "at 'name' failed to satisfy constraint"],
    ['a long name', { Name: 'r'.repeat(65) }, "at 'name' failed to satisfy constraint"],
    ['no expression', { ScheduleExpression: undefined }, "Value at 'scheduleExpression'"],
    ['cron', { ScheduleExpression: 'cron(0 12 * * ? *)' }, 'not cron'],
    ...[
      'rate( 10 minutes )',
      'rate(10  minutes)',
      'rate(0 minutes)',
      'rate(-1 minutes)',
      'rate(1.5 hours)',
      'rate(30 seconds)',
      'rate(1 week)',
      'rate(10)',
      ' rate(10 minutes)',
      'at(2026-11-21T12:00:00)',
      'at(2026-11-21T11:59:59)',
      'at(2027-11-21T12:00:00Z)',
      'at(2027-11-21T12:00)',
      'at(2027-02-30T12:00:00)',
      'at(2027-13-01T12:00:00)',
      'at(2027-11-21 12:00:00)',
      'tomorrow',
      '',
    ].map((ScheduleExpression): [string, Changes, string] => [
      `the expression "${ScheduleExpression}"`,
      { ScheduleExpression },
      `Invalid Schedule Expression ${ScheduleExpression}`,
    ]),
    [
      'a time zone',
      { ScheduleExpressionTimezone: 'Europe/Berlin' },
      'only the ScheduleExpressionTimezone UTC',
    ],
    ['no time window', { FlexibleTimeWindow: undefined }, "Value at 'flexibleTimeWindow'"],
    [
      'a flexible window',
      { FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 5 } },
      'only a FlexibleTimeWindow with the Mode OFF',
    ],
    ['a late start', { StartDate: new Date('2026-11-21T11:54:59Z') }, 'cannot be earlier than 5 minutes ago'],
    ['an end that has passed', { EndDate: new Date(noon) }, 'EndDate you specify must be later'],
    [
      'an end before the start',
      { StartDate: new Date('2026-12-02T00:00:00Z'), EndDate: new Date('2026-12-01T00:00:00Z') },
      'EndDate you specify must be later',
    ],
    ['an unknown state', { State: 'ASLEEP' as 'ENABLED' }, "Value 'ASLEEP' at 'state'"],
    ['an unknown action', { ActionAfterCompletion: 'BARK' as 'NONE' }, "at 'actionAfterCompletion'"],
    ['a key', { KmsKeyArn: 'arn:aws:kms:key' }, 'does not support KmsKeyArn'],
    ['no target', { Target: undefined }, "Value at 'target.arn'"],
    ['no role', { Target: { Arn: functionArn, RoleArn: undefined } }, "Value at 'target.roleArn'"],
    ['an unknown target', { Target: { ...target, Arn: queueArn } }, 'no function arn:aws:sqs:'],
    ['parameters of other targets', { Target: { ...target, SqsParameters: {} } }, 'have no SqsParameters'],
    [
      'an unknown role',
      { Target: { ...target, RoleArn: roleArn('No') } },
      'must allow AWS EventBridge Sched',
    ],
    [
      'a role that only Lambda can assume',
      { Target: { ...target, RoleArn: roleArn('LambdaRole') } },
      'to assume the role.',
    ],
    [
      'a role whose condition requires another source',
      { Target: { ...target, RoleArn: roleArn('OtherRole') } },
      'to assume the role.',
    ],
    ['an input that is not JSON', { Target: { ...target, Input: 'rex' } }, 'must be JSON'],
    ['an unknown queue', { Target: { ...target, DeadLetterConfig: { Arn: functionArn } } }, 'no queue arn:'],
    ['too short an event age', policy({ MaximumEventAgeInSeconds: 59 }), 'be from 60 to 86400'],
    ['too long an event age', policy({ MaximumEventAgeInSeconds: 86_401 }), 'be from 60 to 86400'],
    ['too many retries', policy({ MaximumRetryAttempts: 186 }), 'be from 0 to 185'],
    ['too few retries', policy({ MaximumRetryAttempts: -1 }), 'be from 0 to 185'],
  ])('%s', async (_, changes, message) => {
    const { create, list, events } = await open();
    await expect(create(changes as Changes)).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining(message),
      $metadata: { httpStatusCode: 400 },
    });
    expect((await list()).Schedules).toEqual([]);
    await clock.advance(hour);
    expect(events).toEqual([]);
  });

  test('a missing group', async () => {
    const { create } = await open();
    await expect(create({ GroupName: 'cats' })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'Schedule group cats does not exist.',
    });
  });

  test('an unknown action', async () => {
    const { emulator } = await open();
    const call = { caller: 'test', service: 'scheduler', headers: {}, body: Buffer.from('') };
    for (const [method, path] of [
      ['GET', '/schedule-groups'],
      ['PATCH', '/schedules/rex'],
      ['POST', '/schedules'],
      ['GET', '/schedules/rex/more'],
    ] as const)
      expect(await emulator.serve({ ...call, method, path })).toMatchObject({
        status: 400,
        headers: { 'x-amzn-ErrorType': 'UnknownOperationException' },
      });
  });
});

describe('A schedule is due', () => {
  test.each<[string, Changes, ...string[]]>([
    ['by rate, immediately and then repeatedly', {}, '12:00', '12:10', '12:20', '12:30'],
    [
      'by rate(1 minute)',
      { EndDate: new Date('2026-11-21T12:01:59Z'), ScheduleExpression: 'rate(1 minute)' },
      '12:00',
      '12:01',
    ],
    [
      'by rate, first at its start',
      { StartDate: new Date('2026-11-21T12:05:00Z') },
      '12:05',
      '12:15',
      '12:25',
    ],
    [
      'by rate, first at a start that has just passed',
      { StartDate: new Date('2026-11-21T11:55:00Z') },
      '11:55',
      '12:05',
      '12:15',
      '12:25',
    ],
    ['by rate, until its end', { EndDate: new Date('2026-11-21T12:10:00Z') }, '12:00', '12:10'],
    [
      'by rate, in UTC under its other name',
      { ScheduleExpressionTimezone: 'Etc/UTC' },
      '12:00',
      '12:10',
      '12:20',
      '12:30',
    ],
    ['by at, once', { ScheduleExpression: 'at(2026-11-21T12:07:00)' }, '12:07'],
    ['not before its time', { ScheduleExpression: 'at(2026-11-21T12:31:00)' }],
    ['not when it is disabled', { State: 'DISABLED' }],
  ])('%s', async (_, changes, ...times) => {
    const { create, events } = await open();
    await create(changes);
    await clock.advance(30 * minute);
    expect(events).toEqual(at(...times));
  });

  test('in a year, with a rate in days', async () => {
    const { create, events } = await open();
    await create({ ScheduleExpression: 'rate(365 days)' });
    await clock.advance(364 * day);
    expect(events).toEqual(at('12:00'));
    await clock.advance(day);
    expect(events).toEqual([...at('12:00'), { at: '2027-11-21T12:00:00Z' }]);
  });

  test.each([
    ['at(2026-11-21T12:07:00)', undefined],
    ['rate(5 minutes)', new Date('2026-11-21T12:07:00Z')],
  ])(
    'for the last time, and is then deleted if ActionAfterCompletion is DELETE: %s',
    async (ScheduleExpression, EndDate) => {
      const { create, list, events } = await open();
      const completing = { ScheduleExpression, EndDate };
      await create({ Name: 'gone', ActionAfterCompletion: 'DELETE', ...completing });
      await create({ Name: 'stays', ...completing });
      await clock.advance(0);
      expect((await list()).Schedules).toHaveLength(2);
      await clock.advance(hour);
      expect((await list()).Schedules).toMatchObject([{ Name: 'stays' }]);
      expect(events.length % 2).toBe(0);
      expect(events.length).toBeGreaterThan(0);
    },
  );
});

describe('The function receives', () => {
  test('the input with the values of the context attributes', async () => {
    const { create, events } = await open();
    const Input = JSON.stringify({
      time: '<aws.scheduler.scheduled-time>',
      execution: '<aws.scheduler.execution-id>',
      attempt: '<aws.scheduler.attempt-number>',
      schedule: 'of <aws.scheduler.schedule-arn>!',
      other: '<aws.scheduler.mood> <aws.scheduler>',
    });
    await create({ Target: { ...target, Input } });
    await clock.advance(0);
    expect(events).toEqual([
      {
        time: noon,
        execution: expect.stringMatching(/^[0-9a-f-]{36}$/),
        attempt: '1',
        schedule: `of ${scheduleArn('rex')}!`,
        other: '<aws.scheduler.mood> <aws.scheduler>',
      },
    ]);
  });

  test('the default event of the service if the schedule has no input', async () => {
    const { create, events } = await open();
    await create({ Target: target });
    await clock.advance(0);
    expect(events).toEqual([
      {
        version: '0',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        'detail-type': 'Scheduled Event',
        source: 'aws.scheduler',
        account,
        time: noon,
        region,
        resources: [scheduleArn('rex')],
        detail: '{}',
      },
    ]);
  });
});

describe('An occurrence that cannot be delivered', () => {
  const refuse: Put = () => {
    throw Object.assign(new Error('Function not found'), { name: 'ResourceNotFoundException' });
  };
  const once = (RetryPolicy: object, Input = '{"n":"<aws.scheduler.attempt-number>"}') => ({
    ScheduleExpression: 'at(2026-11-21T12:01:00)',
    Target: { ...target, Input, RetryPolicy, DeadLetterConfig: { Arn: queueArn } },
  });

  test('is retried with a new execution ID', async () => {
    let failures = 2;
    const { create, events } = await open(() => {
      if (failures-- > 0) refuse('', {});
    });
    await create(once({}, '["<aws.scheduler.attempt-number>","<aws.scheduler.execution-id>"]'));
    await clock.advance(hour);
    const tries = events as [string, string][];
    expect(tries.map(([attempt]) => attempt)).toEqual(['1', '2', '3']);
    expect(new Set(tries.map(([, id]) => id)).size).toBe(3);
    expect(deadLetterMessages()).toEqual([]);
  });

  test.each([
    [{ MaximumRetryAttempts: 2 }, 'MaximumRetryAttempts', 2],
    [{ MaximumRetryAttempts: 0 }, 'MaximumRetryAttempts', 0],
    [{ MaximumEventAgeInSeconds: 60 }, 'MaximumEventAgeInSeconds', 5],
  ])('goes to the dead-letter queue with %j', async (policy, condition, retries) => {
    const { create, events } = await open(refuse);
    await create(once(policy));
    await clock.advance(hour);
    expect(events).toHaveLength(retries + 1);
    expect(deadLetterMessages()).toMatchObject([
      {
        body: JSON.stringify({ n: String(retries + 1) }),
        attributes: {
          ERROR_CODE: 'ResourceNotFoundException',
          ERROR_MESSAGE: 'Function not found',
          EXHAUSTED_RETRY_CONDITION: condition,
          IS_PAYLOAD_TRUNCATED: 'false',
          RETRY_ATTEMPTS: String(retries),
          SCHEDULED_TIME: '2026-11-21T12:01:00Z',
          SCHEDULE_ARN: scheduleArn('rex'),
          TARGET_ARN: functionArn,
        },
      },
    ]);
  });

  test('is logged if there is no dead-letter queue', async () => {
    const { create } = await open(refuse);
    await create({ Target: { ...target, RetryPolicy: { MaximumRetryAttempts: 0 } } });
    await clock.advance(0);
    expect(logged).toHaveBeenCalledWith(
      `The occurrence of ${scheduleArn('rex')} at ${noon} was not delivered: Function not found`,
    );
  });

  test('does not delay the next occurrence', async () => {
    const { create, events } = await open((_, event) => {
      if ((event as { at: string }).at === noon) refuse('', {});
    });
    await create();
    await clock.advance(20 * minute);
    expect(events).toEqual(expect.arrayContaining(at('12:10', '12:20')));
  });
});

describe('A schedule of the template', () => {
  const start = async (schedules: Record<string, object>) => {
    stopAll();
    const scheduler = await open(undefined, undefined, schedules);
    scheduler.emulator.resume();
    await clock.advance(0);
    return scheduler;
  };
  const Target = { Arn: { 'Fn::GetAtt': ['Bark', 'Arn'] }, RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] } };
  const Refresh = {
    Name: 'rex',
    GroupName: { Ref: 'Group' },
    ScheduleExpression: 'rate(10 minutes)',
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: { ...Target, Input: '{"at":"<aws.scheduler.scheduled-time>"}' },
  };

  test('is created at the first start, with the properties in the template, and is due immediately', async () => {
    const { get, events } = await start({
      Refresh: {
        ...Refresh,
        Description: 'Barks',
        State: 'ENABLED',
        ScheduleExpressionTimezone: 'Etc/UTC',
        EndDate: '2026-11-22T12:00:00Z',
        Target: {
          ...Refresh.Target,
          RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 },
          DeadLetterConfig: { Arn: { 'Fn::GetAtt': ['Missed', 'Arn'] } },
        },
      },
    });
    expect(events).toEqual(at('12:00'));
    const { $metadata, ...schedule } = await get('dogs');
    expect(schedule).toEqual({
      Arn: scheduleArn('rex'),
      GroupName: 'dogs',
      Name: 'rex',
      Description: 'Barks',
      ScheduleExpression: 'rate(10 minutes)',
      ScheduleExpressionTimezone: 'Etc/UTC',
      EndDate: new Date('2026-11-22T12:00:00Z'),
      State: 'ENABLED',
      ActionAfterCompletion: 'NONE',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: functionArn,
        RoleArn: roleArn('Role'),
        Input: Refresh.Target.Input,
        RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 },
        DeadLetterConfig: { Arn: queueArn },
      },
      CreationDate: new Date(noon),
      LastModificationDate: new Date(noon),
    });
  });

  test('can omit its name and its group, and have a StartDate', async () => {
    const { Name: _, GroupName: __, ...nameless } = Refresh;
    const { list, events } = await start({
      Refresh: {
        ...nameless,
        StartDate: '2026-11-21T12:05:00Z',
        Target: { ...Refresh.Target, RoleArn: roleArn('FreeRole') },
      },
    });
    expect((await list()).Schedules).toMatchObject([{ Name: 'Stack-Refresh', GroupName: 'default' }]);
    await clock.advance(10 * minute);
    expect(events).toEqual(at('12:05'));
  });

  test('keeps its times after a restart', async () => {
    const before = await start({ Refresh });
    await clock.advanceTo('2026-11-21T12:05:00Z');
    const after = await start({ Refresh });
    await clock.advanceTo('2026-11-21T12:25:00Z');
    expect([before.events, after.events]).toEqual([at('12:00'), at('12:10', '12:20')]);
    expect(await after.get('dogs')).toMatchObject({ CreationDate: new Date(noon) });
  });

  test.each<[string, object, ...string[]]>([
    ['rate', { ScheduleExpression: 'rate(4 minutes)' }, '12:05', '12:09', '12:13'],
    ['start', { StartDate: '2026-11-21T12:07:00Z' }, '12:07'],
    ['state', { State: 'DISABLED' }],
    [
      'group',
      { GroupName: 'default', Target: { ...Refresh.Target, RoleArn: roleArn('FreeRole') } },
      '12:05',
      '12:15',
    ],
    ['name', { Name: 'bello' }, '12:05', '12:15'],
  ])('starts again if the template has another %s', async (_, change, ...times) => {
    await start({ Refresh });
    await clock.advanceTo('2026-11-21T12:05:00Z');
    const { events, list } = await start({ Refresh: { ...Refresh, ...change } });
    await clock.advanceTo('2026-11-21T12:16:00Z');
    expect(events).toEqual(at(...times));
    expect((await list()).Schedules).toHaveLength(1);
  });

  test('is deleted with its missed occurrences if the template no longer has it', async () => {
    await start({ Refresh });
    stopAll();
    await clock.advance(hour);
    const { list, events } = await start({});
    await clock.advance(hour);
    expect((await list()).Schedules).toEqual([]);
    expect(events).toEqual([]);
    expect((await start({ Refresh })).events).toEqual(at('14:00'));
  });

  test('is created, changed and deleted while the scheduler runs', async () => {
    const { emulator, events, list } = await start({});
    const deploy = async (schedules: Record<string, object>) => {
      emulator.deploy(templateWith(schedules));
      await clock.advance(10 * minute);
      return events.splice(0);
    };
    expect(await deploy({ Refresh })).toEqual(at('12:00', '12:10'));
    expect(await deploy({ Refresh: { ...Refresh, ScheduleExpression: 'rate(5 minutes)' } })).toEqual(
      at('12:10', '12:15', '12:20'),
    );
    expect(await deploy({})).toEqual([]);
    expect((await list()).Schedules).toEqual([]);
  });

  test('does not affect the schedules of functions when it is changed while the scheduler runs', async () => {
    const { emulator, create, events } = await start({});
    await create();
    await clock.advance(minute);
    emulator.deploy(
      templateWith({ Refresh: { ...Refresh, Name: 'other', ScheduleExpression: 'rate(1 days)' } }),
    );
    events.splice(0);
    await clock.advance(9 * minute);
    expect(events).toEqual([...at('12:01'), ...at('12:10')]);
  });

  test('is unchanged if its time is in the past', async () => {
    const Once = {
      ...Refresh,
      ScheduleExpression: 'at(2026-11-21T12:10:00)',
      EndDate: '2026-11-21T12:20:00Z',
    };
    const before = await start({ Once });
    await clock.advance(hour);
    const after = await start({ Once });
    await clock.advance(hour);
    expect([before.events, after.events]).toEqual([at('12:10'), []]);
  });

  test('does not change the schedules of functions', async () => {
    const { create } = await start({ Refresh });
    await create({ Name: 'bello', StartDate: new Date('2026-11-21T14:00:00Z') });
    for (const schedules of [{}, { Refresh }, { Refresh: { ...Refresh, State: 'DISABLED' } }, {}]) {
      const { list } = await start(schedules);
      expect((await list({ NamePrefix: 'bello' })).Schedules).toMatchObject([
        { CreationDate: new Date(noon) },
      ]);
    }
    await expect(start({ Refresh: { ...Refresh, Name: 'bello' } })).rejects.toThrow(
      'Refresh: Schedule bello already exists.',
    );
    const { events } = await start({});
    await clock.advanceTo('2026-11-21T14:00:00Z');
    expect(events).toEqual(at('14:00'));
  });

  test.each<[string, object, string]>([
    ['cron', { ScheduleExpression: 'cron(0 12 * * ? *)' }, 'not cron'],
    ['a time that has passed', { ScheduleExpression: 'at(2026-11-21T11:00:00)' }, 'it is in the past'],
    [
      'a time zone',
      { ScheduleExpressionTimezone: 'Europe/Berlin' },
      'only the ScheduleExpressionTimezone UTC',
    ],
    [
      'a flexible window',
      { FlexibleTimeWindow: { Mode: 'FLEXIBLE' } },
      'only a FlexibleTimeWindow with the Mode OFF',
    ],
    ['a start that is not a date', { StartDate: 'soon' }, 'The StartDate you specify'],
    ['an unknown group', { GroupName: 'cats' }, 'Schedule group cats does not exist.'],
    ['a long name', { Name: 'r'.repeat(65) }, "at 'name' failed to satisfy constraint"],
    ['another target', { Target: { ...Target, SqsParameters: {} } }, 'have no SqsParameters'],
    [
      'a role that only Lambda can assume',
      { Target: { ...Target, RoleArn: roleArn('LambdaRole') } },
      'to assume the role.',
    ],
    ['a key', { KmsKeyArn: 'arn:aws:kms:key' }, 'does not support KmsKeyArn'],
  ])(
    'causes an error with its logical ID, and changes no schedule, if it has %s',
    async (_, change, message) => {
      await start({ Refresh });
      await clock.advanceTo('2026-11-21T12:05:00Z');
      const broken = start({
        Other: { ...Refresh, Name: 'other' },
        Broken: { ...Refresh, Name: 'broken', ...change },
      });
      await expect(broken).rejects.toThrow('Broken: ');
      await expect(broken).rejects.toThrow(message);
      const { events, list } = await start({ Refresh });
      await clock.advanceTo('2026-11-21T12:10:00Z');
      expect(events).toEqual(at('12:10'));
      expect((await list()).Schedules).toHaveLength(1);
    },
  );
});

describe('After a restart', () => {
  const withMaximumAge = (seconds: number) => ({
    ...scheduleWith({}).Target,
    ...target,
    RetryPolicy: { MaximumEventAgeInSeconds: seconds },
    DeadLetterConfig: { Arn: queueArn },
  });

  /** Stops the scheduler from 12:05 until the given time. */
  async function awayUntil(time: string, changes: Changes) {
    const before = await open();
    await before.create(changes);
    await clock.advanceTo('2026-11-21T12:05:00Z');
    stopAll();
    await clock.advanceTo(time);
    const after = await open();
    after.emulator.resume();
    await clock.advance(0);
    return { before, after };
  }

  test('a schedule continues, and no occurrence is repeated', async () => {
    const { before, after } = await awayUntil('2026-11-21T12:08:00Z', {});
    await clock.advanceTo('2026-11-21T12:25:00Z');
    expect([before.events, after.events]).toEqual([at('12:00'), at('12:10', '12:20')]);
  });

  test('missed occurrences are delivered, and those that are too old go to the dead-letter queue', async () => {
    const { after } = await awayUntil('2026-11-21T12:45:00Z', { Target: withMaximumAge(15 * 60) });
    expect(after.events).toEqual(at('12:30', '12:40'));
    expect(deadLetterMessages().map(({ body }) => JSON.parse(body))).toEqual(at('12:10', '12:20'));
    expect(deadLetterMessages()[0]?.attributes).toMatchObject({
      EXHAUSTED_RETRY_CONDITION: 'MaximumEventAgeInSeconds',
      RETRY_ATTEMPTS: '0',
      SCHEDULED_TIME: '2026-11-21T12:10:00Z',
    });
    await clock.advance(10 * minute);
    expect(after.events).toEqual(at('12:30', '12:40', '12:50'));
  });

  test.each([
    ['done', 3_600, 1, 0],
    ['in the dead-letter queue if it is too old', 60, 0, 1],
  ])('a single occurrence that was missed is %s', async (_, age, done, dead) => {
    const { after } = await awayUntil('2026-11-21T12:45:00Z', {
      ScheduleExpression: 'at(2026-11-21T12:10:00)',
      ActionAfterCompletion: 'DELETE',
      Target: withMaximumAge(age),
    });
    expect([after.events.length, deadLetterMessages().length]).toEqual([done, dead]);
    expect((await after.list()).Schedules).toEqual([]);
  });

  test('at most a day of missed minutely occurrences is delivered, and the number of the others is logged', async () => {
    const { after } = await awayUntil('2027-11-21T12:05:30Z', {
      ScheduleExpression: 'rate(1 minute)',
      Target: withMaximumAge(3_600),
    });
    expect(after.events).toHaveLength(60);
    expect(deadLetterMessages()).toHaveLength(24 * 60 - 60);
    expect(logged).toHaveBeenCalledWith(
      `The schedule rex missed ${364 * 24 * 60} occurrences that are too old to deliver. The emulator dropped them.`,
    );
    await clock.advance(minute);
    expect(after.events).toHaveLength(61);
  });

  test('occurrences that could not be delivered before are delivered', async () => {
    const before = await open(() => {
      throw new Error('not now');
    });
    await before.create({ ScheduleExpression: 'at(2026-11-21T12:01:00)' });
    await clock.advanceTo('2026-11-21T12:02:00Z');
    stopAll();
    const after = await open();
    after.emulator.resume();
    await clock.advance(hour);
    expect(after.events).toEqual(at('12:01'));
  });
});

describe('Each occurrence is delivered at least once if the service is killed', () => {
  /** Copies the store, in the state in which a kill would leave it. */
  function snapshot(name: string): string {
    for (const suffix of ['', '-wal'])
      copyFileSync(join(directory, `schedules.sqlite${suffix}`), join(directory, `${name}${suffix}`));
    return join(directory, name);
  }

  test.each([
    ['before it is due', 'created', at('12:10')],
    ['after its delivery, which is not on disk', 'handed over', at('12:10')],
    ['after its delivery, which is on disk', 'done', []],
  ])('%s', async (_, moment, expected) => {
    const before = await open(() => snapshot('handed over'));
    await before.create({ ScheduleExpression: 'at(2026-11-21T12:10:00)', ActionAfterCompletion: 'DELETE' });
    snapshot('created');
    await clock.advanceTo('2026-11-21T12:10:00Z');
    snapshot('done');
    stopAll();
    const after = await open(undefined, join(directory, moment));
    after.emulator.resume();
    await clock.advance(hour);
    expect(before.events).toEqual(at('12:10'));
    expect(after.events).toEqual(expected);
  });

  test('one transaction queues an occurrence and stores the next time', async () => {
    const before = await open();
    await before.create({ ScheduleExpression: 'at(2026-11-21T12:10:00)' });
    const store = new DatabaseSync(join(directory, 'schedules.sqlite'));
    store.exec("CREATE TRIGGER full BEFORE UPDATE ON schedules BEGIN SELECT RAISE(ABORT, 'disk full'); END");
    await clock.advanceTo('2026-11-21T12:11:00Z');
    expect(logged).toHaveBeenCalledWith(expect.stringMatching(/cannot be written: disk full$/));
    expect(before.events).toEqual([]);
    stopAll();
    store.exec('DROP TRIGGER full');
    store.close();
    const after = await open();
    after.emulator.resume();
    await clock.advance(0);
    expect(after.events).toEqual(at('12:10'));
  });
});
