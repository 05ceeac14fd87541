import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { DatabaseProcess } from '../../local/dynamodb/database-process.ts';
import type { ItemReader } from '../../local/dynamodb/item-reader.ts';
import { Operations } from '../../local/dynamodb/operations.ts';
import { DecisionLog } from '../../local/iam/decision-log.ts';
import { AsyncInvocations, type Invoke } from '../../local/lambda/async-invocations.ts';
import { FunctionError } from '../../local/lambda/errors.ts';
import { systemClock } from '../../local/platform/clock.ts';
import { SchedulerEmulator } from '../../local/scheduler/emulator.ts';
import { SesEmulator } from '../../local/ses/emulator.ts';
import { Mailbox } from '../../local/ses/mailbox.ts';
import { StepFunctionsEmulator } from '../../local/step-functions/emulator.ts';
import { account, arn } from '../../local/template/arns.ts';
import { Template } from '../../local/template/template.ts';
import { eventually } from '../support/client.ts';
import { useTestCloud } from '../support/emulators.ts';
import { FullDisk } from '../support/full-disk.ts';

const minute = 60_000;
const functionArn = arn('lambda', 'function:Stack-Bark');
const queueArn = arn('sqs', 'Stack-Failed');
const task = { Type: 'Task', Resource: functionArn, End: true };
const trust = {
  Action: 'sts:AssumeRole',
  Effect: 'Allow',
  Principal: { Service: 'scheduler.amazonaws.com' },
};
const template = new Template(
  {
    Resources: {
      Bark: { Type: 'AWS::Lambda::Function' },
      Failed: { Type: 'AWS::SQS::Queue' },
      Group: { Type: 'AWS::Scheduler::ScheduleGroup', Properties: { Name: 'dogs' } },
      Role: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: { Statement: [trust] } } },
      Machine: {
        Type: 'AWS::StepFunctions::StateMachine',
        Properties: { DefinitionString: JSON.stringify({ StartAt: 'Do', States: { Do: task } }) },
      },
      Config: {
        Type: 'AWS::Lambda::EventInvokeConfig',
        Properties: {
          FunctionName: { Ref: 'Bark' },
          Qualifier: '$LATEST',
          MaximumRetryAttempts: 0,
          DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['Failed', 'Arn'] } } },
        },
      },
    },
  },
  'Stack',
);

const cloud = useTestCloud();
let disk: FullDisk;
beforeEach(() => {
  disk = new FullDisk();
});
afterEach(() => disk.restore());

function openInvocations(invoke: Invoke): AsyncInvocations {
  const { deadLetterQueues } = cloud.queues(template);
  const dependencies = { invoke, deadLetterQueues, clock: cloud.clock };
  return cloud.use(new AsyncInvocations(template, cloud.file('invocations.sqlite'), dependencies));
}

async function openWorkflows(invoke: Invoke) {
  const ended: unknown[] = [];
  const emulator = cloud.use(
    new StepFunctionsEmulator(template, cloud.file('executions.sqlite'), {
      invoke,
      invocations: { put: () => {} },
      onEnd: (event: unknown) => ended.push(event),
      clock: cloud.clock,
    }),
  );
  const client = await cloud.client(SFNClient, 'states', emulator.serve);
  const executionArn = arn('states', 'execution:Stack-Machine:one');
  const statusOf = async () => (await client.send(new DescribeExecutionCommand({ executionArn }))).status;
  return { ended, emulator, client, statusOf };
}

/** The durability suite fills the disk of each store. These tests have what the emulators do meanwhile. */
describe('While the disk is full', () => {
  test('an event that its function has processed is not processed again', async () => {
    const invoke = jest.fn<Promise<unknown>, [string, unknown]>(async () => {
      disk.isFull = true;
    });
    openInvocations(invoke).put(functionArn, {});
    await cloud.clock.advance(2.5 * minute);
    expect(cloud.logged).toEqual(
      Array(3).fill(
        'The queue invocations cannot be written: database or disk is full. Free some space on the disk of DATA_DIR.',
      ),
    );
    disk.isFull = false;
    await cloud.clock.advance(minute);
    await cloud.stop();
    openInvocations(invoke).resume();
    await cloud.clock.advance(minute);
    expect(invoke).toHaveBeenCalledTimes(1);
  });

  test('an event that its function could not process goes to the dead-letter queue as soon as there is space', async () => {
    let isFull = true;
    openInvocations(async () => {
      disk.isFull = isFull;
      throw new FunctionError('Error', 'too loud');
    }).put(functionArn, { dog: 'rex' });
    await cloud.clock.advance(minute);
    isFull = false;
    disk.isFull = false;
    await cloud.clock.advance(3 * minute);
    expect(cloud.messagesIn(queueArn)).toHaveLength(1);
  });

  test('a new event is refused', async () => {
    const invoke = jest.fn<Promise<unknown>, [string, unknown]>(async () => null);
    const invocations = openInvocations(invoke);
    disk.isFull = true;
    expect(() => invocations.put(functionArn, {})).toThrow('database or disk is full');
    disk.isFull = false;
    invocations.put(functionArn, { dog: 'rex' });
    await cloud.clock.advance(0);
    expect(invoke.mock.calls.map(([, event]) => event)).toEqual([{ dog: 'rex' }]);
  });

  test('an occurrence waits until there is space, and is then delivered once', async () => {
    const { deadLetterQueues } = cloud.queues(template);
    const inputs: unknown[] = [];
    const invocations = { put: (_: string, input: unknown) => inputs.push(input) };
    const dependencies = { invocations, deadLetterQueues, clock: cloud.clock };
    const emulator = cloud.use(new SchedulerEmulator(template, cloud.file('schedules.sqlite'), dependencies));
    const client = await cloud.client(SchedulerClient, 'scheduler', emulator.serve);
    const RoleArn = `arn:aws:iam::${account}:role/Stack-Role`;
    await client.send(
      new CreateScheduleCommand({
        Name: 'rex',
        GroupName: 'dogs',
        ScheduleExpression: 'rate(10 minutes)',
        StartDate: new Date('2026-11-21T12:10:00Z'),
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: { Arn: functionArn, RoleArn, Input: '"<aws.scheduler.scheduled-time>"' },
      }),
    );
    emulator.resume();
    disk.isFull = true;
    await cloud.clock.advance(15 * minute);
    expect(inputs).toEqual([]);
    expect(cloud.logged[0]).toMatch(
      /schedules\.sqlite cannot be written: database or disk is full\. Free some space/,
    );
    disk.isFull = false;
    await cloud.clock.advance(minute);
    expect(inputs).toEqual(['2026-11-21T12:10:00Z']);
    await cloud.clock.advance(10 * minute);
    expect(inputs).toEqual(['2026-11-21T12:10:00Z', '2026-11-21T12:20:00Z']);
  });

  test('an execution that completes is stored when there is space, and does not run again', async () => {
    const invoke = jest.fn<Promise<unknown>, [string, unknown]>(async () => {
      disk.isFull = true;
      return {};
    });
    const before = await openWorkflows(invoke);
    const stateMachineArn = arn('states', 'stateMachine:Stack-Machine');
    await before.client.send(new StartExecutionCommand({ stateMachineArn, name: 'one' }));
    await eventually(async () => expect(cloud.logged).toHaveLength(1), { interval: 1 });
    expect(cloud.logged[0]).toMatch(
      /^The executions cannot be written: database or disk is full\. Free some/,
    );
    expect([await before.statusOf(), before.ended]).toEqual(['RUNNING', []]);
    disk.isFull = false;
    await eventually(
      async () => {
        await cloud.clock.advance(1_000);
        expect(await before.statusOf()).toBe('SUCCEEDED');
      },
      { interval: 1 },
    );
    expect(before.ended).toHaveLength(1);
    await cloud.stop();
    const after = await openWorkflows(invoke);
    after.emulator.resume();
    expect(await after.statusOf()).toBe('SUCCEEDED');
    expect(invoke).toHaveBeenCalledTimes(1);
  });

  test('the database responds with 500, and the terminal shows the reason', async () => {
    // Dynoxide has returned this text on a full disk.
    const message =
      'commit failed (backend: database or disk is full) and rollback also failed (backend: cannot rollback - no transaction is active)';
    const text = JSON.stringify({ error_type: 'InternalServerError', message });
    const tools = new Map([['put_item', new Set(['table_name', 'item'])]]);
    const database = { tools, call: async () => ({ text, isError: true }) } as unknown as DatabaseProcess;
    const operations = new Operations(database, { read: () => undefined } as unknown as ItemReader);
    const response = await operations.perform('PutItem', '{"TableName":"dogs","Item":{}}');
    expect(response).toMatchObject({ status: 500, body: expect.stringContaining('InternalServerError') });
    expect(cloud.logged).toEqual([
      'The database cannot be written: database or disk is full. Free some space on the disk of DATA_DIR.',
    ]);
  });
});

// Only Linux has this file, to which every write fails with ENOSPC.
(existsSync('/dev/full') ? describe : describe.skip)('While a file cannot be written', () => {
  test('a mail is refused and not shown, and the next one is accepted when there is space', async () => {
    const file = cloud.file('mails.jsonl');
    const mailbox = new Mailbox(file);
    symlinkSync('/dev/full', file);
    const dependencies = { onEvent: () => {}, clock: systemClock };
    const emulator = new SesEmulator(template, mailbox, dependencies);
    const send = async () =>
      (await cloud.client(SESClient, 'ses', emulator.serve)).send(
        new SendRawEmailCommand({
          Destinations: ['rex@example.com'],
          RawMessage: { Data: Buffer.from('From: dogs@example.com\n\nWoof') },
        }),
      );
    await expect(send()).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    expect(mailbox.list({}).total).toBe(0);
    expect(cloud.logged).toEqual([expect.stringMatching(/cannot be written: ENOSPC.*Free some space/)]);
    unlinkSync(file);
    await send();
    expect([mailbox.list({}).total, new Mailbox(file).list({}).total]).toEqual([1, 1]);
  });

  test('a call is not refused because its authorization cannot be recorded', () => {
    const file = cloud.file('permissions.jsonl');
    const log = new DecisionLog(file);
    symlinkSync('/dev/full', file);
    const decision = { caller: 'PutDog', action: 'a', resource: 'b', context: {}, allowedBy: [] };
    log.add(decision);
    expect(cloud.logged).toEqual([expect.stringMatching(/permissions\.jsonl cannot be written: ENOSPC/)]);
    unlinkSync(file);
    log.add(decision);
    log.add(decision);
    expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(decision)}\n`);
  });
});

// A shell on Windows has no such limit.
(process.platform === 'win32' ? test.skip : test)(
  'Files whose size is limited have no damaged line or document, and can be written again when there is space',
  () => {
    const script = join(import.meta.dirname, '../support/full-disk-process.ts');
    // The limit is 8 blocks of 512 or 1024 bytes.
    const command = 'ulimit -f 8; exec "$0" --disable-warning=ExperimentalWarning "$@"';
    execFileSync('sh', ['-c', command, process.execPath, script, cloud.directory]);
    const seen = JSON.parse(readFileSync(cloud.file('seen.json'), 'utf8'));
    expect(seen.errors).toEqual(['EFBIG', 'EFBIG', 'EFBIG']);
    expect(seen.mails.stored).toBeGreaterThan(4);
    expect(seen.mails.whileFull).toBe(seen.mails.stored);
    expect(seen.mails.after).toEqual([0, 1, 2, 3, -1]);
    expect(seen.log).toEqual(['{"line":-1}']);
    expect(seen.access).toEqual({ kept: { words: 'old' }, after: { words: 'new' } });
  },
);
