import { copyFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import * as sdk from '@aws-sdk/client-scheduler';
import { ResourceNotFoundException } from '../../lambda/errors.ts';
import { SchedulerEmulator } from '../../scheduler/emulator.ts';
import { account, arn, region } from '../../template/arns.ts';
import { Template } from '../../template/template.ts';
import { type Call, conformance, exactly, type Send, type Step, sender } from '../support/conformance.ts';
import { testDurability } from '../support/durability.ts';
import { useTestCloud } from '../support/emulators.ts';

const functionArn = arn('lambda', 'function:Stack-Bark');
const queueArn = arn('sqs', 'Stack-Missed');
const roleArn = (name: string) => `arn:aws:iam::${account}:role/Stack-${name}`;
const scheduleArn = (name: string, group = 'dogs') => arn('scheduler', `schedule/${group}/${name}`);
const noon = '2026-11-21T12:00:00Z';
const minute = 60_000;
const hour = 60 * minute;
const cloud = useTestCloud(noon);

const roleFor = (Service: string, StringEquals?: object) => {
  const Condition = StringEquals && { Condition: { StringEquals } };
  const Statement = [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service }, ...Condition }];
  return { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: { Statement } } };
};
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

function templateWith(schedules: Record<string, object>): Template {
  const entries = Object.entries(schedules).map(([logicalId, Properties]) => [
    logicalId,
    { Type: 'AWS::Scheduler::Schedule', Properties },
  ]);
  return new Template({ Resources: { ...Object.fromEntries(entries), ...resources } }, 'Stack');
}

async function open(onPut = () => {}, file = 'schedules.sqlite', schedules: Record<string, object> = {}) {
  const events: unknown[] = [];
  const template = templateWith(schedules);
  const { deadLetterQueues } = cloud.queues(template);
  const invocations = {
    put: (called: string, event: unknown) => {
      expect(called).toBe(functionArn);
      events.push(event);
      onPut();
    },
  };
  const dependencies = { invocations, deadLetterQueues, clock: cloud.clock };
  const emulator = cloud.use(new SchedulerEmulator(template, cloud.file(file), dependencies));
  const send = sender(await cloud.client(sdk.SchedulerClient, 'scheduler', emulator.serve), sdk);
  const create = async (changes: object = {}) =>
    expect(await send('CreateSchedule', { ...usual, ...changes })).toMatchObject({ refused: undefined });
  return { emulator, events, send, create };
}

function storedNames(): unknown[] {
  const store = new DatabaseSync(cloud.file('schedules.sqlite'), { readOnly: true });
  const rows = store.prepare('SELECT name FROM schedules ORDER BY name').all();
  store.close();
  return rows.map(({ name }) => name);
}

/** Opens the emulator, as a start of the service does, and delivers what is due. */
async function resume(...parameters: Parameters<typeof open>) {
  await cloud.stop();
  const scheduler = await open(...parameters);
  scheduler.emulator.resume();
  await cloud.clock.advance(0);
  return scheduler;
}

/** The scheduler of a table of calls. Steps can restart it. */
let current: Awaited<ReturnType<typeof open>>;
async function openTable(): Promise<Send> {
  current = await open();
  return (operation, input) => current.send(operation, input);
}

const target = { Arn: functionArn, RoleArn: roleArn('Role') };
const Input = '{"at":"<aws.scheduler.scheduled-time>"}';
const usual = {
  Name: 'rex',
  GroupName: 'dogs',
  ScheduleExpression: 'rate(10 minutes)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: { ...target, Input },
};

/** Returns calls on the usual schedule with changes. `undefined` removes a field. */
const created = (changes: object, expected?: object): Call => [
  'CreateSchedule',
  { ...usual, ...changes },
  expected,
];
const got = (changes: object, expected?: object): Call => [
  'GetSchedule',
  { Name: 'rex', GroupName: 'dogs', ...changes },
  expected,
];
const deleted = (expected?: object): Call => ['DeleteSchedule', { Name: 'rex', GroupName: 'dogs' }, expected];
const stored =
  (...names: string[]): Step =>
  () =>
    expect(storedNames()).toEqual(names);

const at = (...times: string[]) => times.map((time) => ({ at: `2026-11-21T${time}:00Z` }));
const on = (time: string) => new Date(`2026-11-21T${time}:00Z`);
const to = (time: string) => cloud.clock.advanceTo(on(time).getTime());
const until = (time: string) => () => to(time);
const delivered =
  (...times: string[]): Step =>
  () =>
    expect(current.events).toEqual(at(...times));
const deadLetterMessages = () => cloud.messagesIn(queueArn);

const free = { Target: { ...target, RoleArn: roleArn('FreeRole') } };
const gone = { refused: 'ResourceNotFoundException', message: 'Schedule rex does not exist.', status: 404 };
const conflict = { refused: 'ConflictException', message: 'Schedule rex already exists.', status: 409 };
const noGroup = { refused: 'ResourceNotFoundException', message: 'Schedule group cats does not exist.' };
const complete = {
  ...usual,
  StartDate: new Date('2026-12-01T00:00:00Z'),
  Description: 'Barks',
  ScheduleExpressionTimezone: 'Etc/UTC',
  ActionAfterCompletion: 'DELETE',
  Target: {
    ...target,
    Input: '{}',
    DeadLetterConfig: { Arn: queueArn },
    RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 },
  },
};
const withTarget = (changes: object) => ({ Target: { ...target, ...changes } });

/** Calls with invalid fields, which are refused and store nothing. */
const refused = (calls: readonly (readonly [object, string])[]): Step[] => [
  ...calls.map(([changes, message]) =>
    created(changes, {
      refused: 'ValidationException',
      message: expect.stringContaining(message),
      status: 400,
    }),
  ),
  stored(),
];

/** The times at which a schedule is due from 12:00 to 12:30. */
const due = (changes: object, ...times: string[]): Step[] => [
  created(changes),
  until('12:30'),
  delivered(...times),
];

conformance('https://docs.aws.amazon.com/scheduler/latest/APIReference/', openTable, {
  'A schedule is created with the default values of the service': [
    created({}, exactly({ ScheduleArn: scheduleArn('rex') })),
    got(
      {},
      exactly({
        ...usual,
        Arn: scheduleArn('rex'),
        ScheduleExpressionTimezone: 'UTC',
        State: 'ENABLED',
        ActionAfterCompletion: 'NONE',
        Target: {
          ...usual.Target,
          RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
        },
        CreationDate: new Date(noon),
        LastModificationDate: new Date(noon),
      }),
    ),
  ],
  'A schedule keeps all its fields': [created(complete), got({}, complete)],
  'A schedule can be in the default group': [
    created({ GroupName: undefined, ...free }),
    got({ GroupName: undefined }, { GroupName: 'default' }),
    got({}, gone),
  ],
  'A schedule can be created again with the same client token, but not with a different one': [
    created({ ClientToken: 'one' }, { ScheduleArn: scheduleArn('rex') }),
    created({ ClientToken: 'one' }, { ScheduleArn: scheduleArn('rex') }),
    created({ ClientToken: 'other' }, conflict),
    created({ GroupName: 'cats' }, noGroup),
  ],
  'A schedule that is deleted no longer invokes its target': [
    created({ StartDate: on('12:01') }),
    deleted(),
    got({}, gone),
    deleted(gone),
    until('13:00'),
    delivered(),
  ],
  'An invalid name, expression, time or setting is refused': refused([
    [{ Name: 're x' }, "at 'name' failed to satisfy constraint"],
    [{ Name: 'r'.repeat(65) }, "at 'name' failed to satisfy constraint"],
    [{ ScheduleExpression: 'cron(0 12 * * ? *)' }, 'only at() and rate()'],
    ...[
      'rate(10  minutes)',
      'rate(0 minutes)',
      'rate(30 seconds)',
      ' rate(10 minutes)',
      'at(2026-11-21T12:00:00)',
      'at(2027-11-21T12:00:00Z)',
      'at(2027-02-30T12:00:00)',
      '',
    ].map(
      (ScheduleExpression) =>
        [{ ScheduleExpression }, `Invalid Schedule Expression ${ScheduleExpression}`] as const,
    ),
    [{ ScheduleExpressionTimezone: 'CET' }, 'not support the ScheduleExpressionTimezone "CET".'],
    [{ FlexibleTimeWindow: { Mode: 'FLEXIBLE' } }, 'not support the FlexibleTimeWindow "FLEXIBLE".'],
    [{ StartDate: new Date('2026-11-21T11:54:59Z') }, 'cannot be earlier than 5 minutes ago'],
    [{ State: 'DISABLED' }, 'not support the State "DISABLED".'],
    [{ EndDate: new Date('2026-12-01') }, 'not support the EndDate'],
    [{ KmsKeyArn: 'arn:aws:kms:key' }, 'not support the KmsKeyArn'],
    [withTarget({ Arn: queueArn }), 'no function with the ARN "arn:aws:sqs:'],
    [withTarget({ SqsParameters: {} }), 'not support the SqsParameters'],
    [withTarget({ RoleArn: roleArn('No') }), 'must allow AWS EventBridge Sched'],
    // A role that only Lambda can assume, and a role whose condition requires another source.
    [withTarget({ RoleArn: roleArn('LambdaRole') }), 'to assume the role.'],
    [withTarget({ RoleArn: roleArn('OtherRole') }), 'to assume the role.'],
    [withTarget({ Input: 'rex' }), 'must be JSON'],
    [withTarget({ DeadLetterConfig: { Arn: functionArn } }), 'no queue arn:'],
  ]),
  'Another operation is refused': [
    ['ListSchedules', {}, { refused: 'UnknownOperationException', status: 400 }],
    ['UpdateSchedule', usual, { refused: 'UnknownOperationException', status: 400 }],
  ],
  'A rate is due immediately and then repeatedly': due({}, '12:00', '12:10', '12:20', '12:30'),
  'A rate is first due at its start': due({ StartDate: on('12:05') }, '12:05', '12:15', '12:25'),
  'A rate is first due at a start that has just passed': due(
    { StartDate: on('11:55') },
    ...['11:55', '12:05', '12:15', '12:25'],
  ),
  'A rate can be days': [
    created({ ScheduleExpression: 'rate(2 days)' }),
    () => cloud.clock.advance(48 * hour - 1),
    delivered('12:00'),
    () => cloud.clock.advance(1),
    () => expect(current.events).toHaveLength(2),
  ],
  'A schedule by at is due once, and then deleted if it requests it': [
    ...['gone', 'stays'].map((Name) =>
      created({
        Name,
        ScheduleExpression: 'at(2026-11-21T12:07:00)',
        ...(Name === 'gone' && { ActionAfterCompletion: 'DELETE' }),
      }),
    ),
    stored('gone', 'stays'),
    until('13:00'),
    stored('stays'),
    delivered('12:07', '12:07'),
  ],
});

test('Each delivery of an occurrence is reported with the input of its target', async () => {
  const reports = cloud.activities();
  const { create } = await open();
  await create();
  await cloud.clock.advance(10 * minute);
  const occurrence = { type: 'occurrence', schedule: scheduleArn('rex') };
  expect(reports).toEqual(
    at('12:00', '12:10').map((input) => ({ ...occurrence, scheduledAt: input.at, input })),
  );
});

test('The function receives the default event of the service if the schedule has no input', async () => {
  const { create, events } = await open();
  await create(withTarget({}));
  await cloud.clock.advance(0);
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

describe('An occurrence whose function no longer exists', () => {
  const refuse = () => {
    throw new ResourceNotFoundException('Bark');
  };

  test('goes to the dead-letter queue, and the next one is due', async () => {
    const { create, events } = await open(refuse);
    await create(withTarget({ Input, DeadLetterConfig: { Arn: queueArn } }));
    await cloud.clock.advance(10 * minute);
    expect(events).toHaveLength(2);
    const [message] = deadLetterMessages();
    expect(message).toEqual({
      body: JSON.stringify({ at: noon }),
      attributes: {
        ERROR_CODE: 'ResourceNotFoundException',
        ERROR_MESSAGE: 'Function not found: Bark',
        EXHAUSTED_RETRY_CONDITION: 'MaximumRetryAttempts',
        IS_PAYLOAD_TRUNCATED: 'false',
        RETRY_ATTEMPTS: '0',
        SCHEDULED_TIME: noon,
        SCHEDULE_ARN: scheduleArn('rex'),
        TARGET_ARN: functionArn,
      },
    });
  });

  test('is logged if there is no dead-letter queue', async () => {
    const { create } = await open(refuse);
    await create();
    await cloud.clock.advance(0);
    expect(cloud.logged).toContainEqual(
      `The occurrence of ${scheduleArn('rex')} at ${noon} was not delivered: Function not found: Bark`,
    );
  });
});

const Refresh = {
  Name: 'rex',
  GroupName: { Ref: 'Group' },
  ScheduleExpression: 'rate(10 minutes)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: { Arn: { 'Fn::GetAtt': ['Bark', 'Arn'] }, RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] }, Input },
};
const withRole = (name: string) => ({ Target: { ...Refresh.Target, RoleArn: roleArn(name) } });

/** Starts the service again with a template that has the given schedules. */
const started = (schedules: Record<string, object>) => async () => {
  current = await resume(undefined, undefined, schedules);
};
/** Starts the service again with another schedule in the template. */
const changed = (change: object) => started({ Refresh: { ...Refresh, ...change } });
/** Replaces the template while the service runs. Forgets the deliveries. */
const deployed = (schedules: Record<string, object>) => () => {
  current.events.length = 0;
  current.emulator.deploy(templateWith(schedules));
};
const moved = { StartDate: '2026-11-21T12:07:00Z', GroupName: 'default', ...withRole('FreeRole') };
const ofFunction = got({ Name: 'bello' }, { CreationDate: new Date(noon) });
const properties = {
  Description: 'Barks',
  State: 'ENABLED',
  ScheduleExpressionTimezone: 'Etc/UTC',
  Target: {
    ...Refresh.Target,
    RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 },
    DeadLetterConfig: { Arn: { 'Fn::GetAtt': ['Missed', 'Arn'] } },
  },
};

conformance('https://docs.aws.amazon.com/scheduler/latest/APIReference/', openTable, {
  'A schedule of the template has its properties, and is due immediately': [
    changed(properties),
    delivered('12:00'),
    got({}, { Description: 'Barks', Target: { ...complete.Target, Input }, CreationDate: new Date(noon) }),
  ],
  'A schedule of the template keeps its times after a restart': [
    started({ Refresh }),
    until('12:05'),
    started({ Refresh }),
    until('12:25'),
    delivered('12:10', '12:20'),
    got({}, { CreationDate: new Date(noon) }),
  ],
  'A schedule of the template starts again with another start and group': [
    started({ Refresh }),
    until('12:05'),
    changed(moved),
    until('12:18'),
    delivered('12:07', '12:17'),
    stored('rex'),
  ],
  'A schedule that the template no longer has is deleted with its missed occurrences': [
    started({ Refresh }),
    () => cloud.stop(),
    until('13:00'),
    started({}),
    until('14:00'),
    delivered(),
    stored(),
    started({ Refresh }),
    delivered('14:00'),
  ],
  'A schedule of the template is created, changed and deleted while the scheduler runs': [
    deployed({ Refresh }),
    until('12:10'),
    delivered('12:00', '12:10'),
    deployed({ Refresh: { ...Refresh, ScheduleExpression: 'rate(5 minutes)' } }),
    until('12:20'),
    delivered('12:10', '12:15', '12:20'),
    deployed({}),
    stored(),
    created({}),
    deployed({ Refresh: { ...Refresh, Name: 'other', ScheduleExpression: 'rate(1 days)' } }),
    until('12:31'),
    delivered('12:20', '12:20', '12:30'),
  ],
  'The template does not change the schedules of functions': [
    created({ Name: 'bello', StartDate: on('14:00') }),
    ...[{ Refresh }, {}, { Refresh }, {}].flatMap((schedules) => [started(schedules), ofFunction]),
    () => expect(changed({ Name: 'bello' })()).rejects.toThrow('Refresh: Schedule bello already exists.'),
    started({}),
    until('14:00'),
    delivered('14:00'),
  ],
});

test.each<[object, string]>([
  [{ ScheduleExpression: 'at(2026-11-21T11:00:00)' }, 'it is in the past'],
  [{ StartDate: 'soon' }, 'The StartDate you specify'],
  [{ GroupName: 'cats' }, 'Schedule group cats does not exist.'],
  [{ Name: 'r'.repeat(65) }, "at 'name' failed to satisfy constraint"],
  [withRole('LambdaRole'), 'to assume the role.'],
])(
  'A schedule of the template with %j is refused with its ID, and no other is changed',
  async (change, text) => {
    await started({ Refresh })();
    await to('12:05');
    const Broken = { ...Refresh, Name: 'broken', ...change };
    const broken = started({ Other: { ...Refresh, Name: 'other' }, Broken })();
    await expect(broken).rejects.toThrow('Broken: ');
    await expect(broken).rejects.toThrow(text);
    await started({ Refresh })();
    await to('12:10');
    expect(current.events).toEqual(at('12:10'));
    expect(storedNames()).toEqual(['rex']);
  },
);

describe('After a restart', () => {
  const withMaximumAge = (seconds: number) => ({
    ...usual.Target,
    RetryPolicy: { MaximumEventAgeInSeconds: seconds },
    DeadLetterConfig: { Arn: queueArn },
  });

  /** Stops the scheduler from 12:05 until the given time. */
  async function awayUntil(time: string, changes: object) {
    const before = await open();
    await before.create(changes);
    await to('12:05');
    await cloud.stop();
    await cloud.clock.advanceTo(time);
    return resume();
  }

  test('missed occurrences are delivered, and those that are too old go to the dead-letter queue', async () => {
    const after = await awayUntil('2026-11-21T12:45:00Z', { Target: withMaximumAge(15 * 60) });
    expect(after.events).toEqual(at('12:30', '12:40'));
    expect(deadLetterMessages().map(({ body }) => JSON.parse(body))).toEqual(at('12:10', '12:20'));
    expect(deadLetterMessages()[0]?.attributes).toMatchObject({
      EXHAUSTED_RETRY_CONDITION: 'MaximumEventAgeInSeconds',
      RETRY_ATTEMPTS: '0',
      SCHEDULED_TIME: '2026-11-21T12:10:00Z',
    });
    await cloud.clock.advance(10 * minute);
    expect(after.events).toEqual(at('12:30', '12:40', '12:50'));
  });

  test('a single occurrence that was missed is delivered, and its schedule is deleted', async () => {
    const { events } = await awayUntil('2026-11-21T12:45:00Z', {
      ScheduleExpression: 'at(2026-11-21T12:10:00)',
      ActionAfterCompletion: 'DELETE',
    });
    expect([events, storedNames()]).toEqual([at('12:10'), []]);
  });

  test('at most a day of missed minutely occurrences is delivered, and the number of the others is logged', async () => {
    const after = await awayUntil('2027-11-21T12:05:30Z', {
      ScheduleExpression: 'rate(1 minute)',
      Target: withMaximumAge(3_600),
    });
    expect(after.events).toHaveLength(60);
    expect(deadLetterMessages()).toHaveLength(24 * 60 - 60);
    expect(cloud.logged).toContainEqual(
      `The schedule rex missed ${364 * 24 * 60} occurrences that are too old to deliver. The emulator dropped them.`,
    );
    await cloud.clock.advance(minute);
    expect(after.events).toHaveLength(61);
  });

  test('occurrences that version 1.0.0 had queued are delivered once', async () => {
    await open();
    await cloud.stop();
    const store = new DatabaseSync(cloud.file('schedules.sqlite'));
    const RetryPolicy = { MaximumEventAgeInSeconds: 60 };
    const queued = { scheduleArn: 'rex', target: { Arn: functionArn, Input, RetryPolicy } };
    const item = JSON.stringify({ ...queued, scheduledAt: cloud.clock.now() });
    store.prepare('INSERT INTO deliveries (item) VALUES (?)').run(item);
    store.close();
    expect((await resume()).events).toEqual(at('12:00'));
    expect((await resume()).events).toEqual([]);
  });
});

testDurability(cloud, async () => {
  const { send } = await open();
  return {
    write: (Name) => send('CreateSchedule', { ...usual, Name }),
    has: async (Name) => !(await send('GetSchedule', { Name, GroupName: 'dogs' })).refused,
  };
});

test('An occurrence on a full disk ends the process, and the next start delivers it once', async () => {
  const { create, events } = await open();
  await create({ StartDate: on('12:10') });
  cloud.disk().isFull = true;
  await expect(to('12:15')).rejects.toThrow('database or disk is full');
  expect(events).toEqual([]);
  const after = await resume();
  await to('12:26');
  expect(after.events).toEqual(at('12:10', '12:20'));
});

test('An occurrence is delivered again if the service is killed before its delivery is on disk', async () => {
  // A kill would leave the store in the state of this copy.
  const before = await open(() => {
    for (const suffix of ['', '-wal'])
      copyFileSync(cloud.file(`schedules.sqlite${suffix}`), cloud.file(`killed${suffix}`));
  });
  await before.create({ ScheduleExpression: 'at(2026-11-21T12:10:00)', ActionAfterCompletion: 'DELETE' });
  await to('12:10');
  const after = await resume(undefined, 'killed');
  await cloud.clock.advance(hour);
  expect([before.events, after.events]).toEqual([at('12:10'), at('12:10')]);
});
