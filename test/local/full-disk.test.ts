import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateScheduleCommand, ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import {
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { DatabaseProcess } from '../../local/dynamodb/database-process.ts';
import type { ItemReader } from '../../local/dynamodb/item-reader.ts';
import { Operations } from '../../local/dynamodb/operations.ts';
import { DecisionLog } from '../../local/iam/decision-log.ts';
import { AsyncInvocations, type Invoke } from '../../local/lambda/async-invocations.ts';
import { FunctionError } from '../../local/lambda/errors.ts';
import { systemClock } from '../../local/platform/clock.ts';
import { SchedulerEmulator } from '../../local/scheduler/emulator.ts';
import { SecretsManagerEmulator } from '../../local/secrets-manager/emulator.ts';
import { SesEmulator } from '../../local/ses/emulator.ts';
import { Mailbox } from '../../local/ses/mailbox.ts';
import { SqsEmulator } from '../../local/sqs/emulator.ts';
import { StepFunctionsEmulator } from '../../local/step-functions/emulator.ts';
import { account, arn } from '../../local/template/arns.ts';
import { Template } from '../../local/template/template.ts';
import { eventually } from '../support/client.ts';
import { FullDisk } from '../support/full-disk.ts';
import { serve } from '../support/local-aws.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { deadLetterMessagesIn, openQueues } from '../support/queues.ts';

const minute = 60_000;
const functionArn = arn('lambda', 'function:Stack-Bark');
const queueArn = arn('sqs', 'Stack-Failed');
const stateMachineArn = arn('states', 'stateMachine:Stack-Machine');
const task = { Type: 'Task', Resource: functionArn, End: true };
const template = new Template(
  {
    Resources: {
      Bark: { Type: 'AWS::Lambda::Function' },
      Failed: { Type: 'AWS::SQS::Queue' },
      Group: { Type: 'AWS::Scheduler::ScheduleGroup', Properties: { Name: 'dogs' } },
      Role: {
        Type: 'AWS::IAM::Role',
        Properties: {
          AssumeRolePolicyDocument: {
            Statement: [
              {
                Action: 'sts:AssumeRole',
                Effect: 'Allow',
                Principal: { Service: 'scheduler.amazonaws.com' },
              },
            ],
          },
        },
      },
      Secret: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'token', SecretString: 'old' } },
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

const isFull = { name: 'ServiceUnavailable', message: 'database or disk is full' };
const root = mkdtempSync(join(tmpdir(), 'full-'));
let disk: FullDisk;
let directory: string;
let clock: ManualClock;
let logged: jest.SpyInstance;
let opened: (() => void)[];

beforeEach(() => {
  disk = new FullDisk();
  directory = mkdtempSync(join(root, 'data-'));
  clock = new ManualClock('2026-11-21T12:00:00Z');
  logged = jest.spyOn(console, 'log').mockImplementation(() => {});
  opened = [];
});
afterEach(() => {
  stopAll();
  disk.restore();
  logged.mockRestore();
});
afterAll(() => rmSync(root, { recursive: true }));

function stopAll(): void {
  for (const stop of opened.splice(0)) stop();
}

/** Destroys a client at the end of the test. */
function use<Client extends { destroy(): void }>(client: Client): Client {
  opened.push(() => client.destroy());
  return client;
}

const messages = () => logged.mock.calls.map(([message]) => message);

function openInvocations(invoke: Invoke): AsyncInvocations {
  const { queues, deadLetterQueues } = openQueues(template, directory, clock);
  const file = join(directory, 'invocations.sqlite');
  const invocations = new AsyncInvocations(template, file, { invoke, deadLetterQueues, clock });
  opened.push(
    () => invocations.stop(),
    () => queues.stop(),
  );
  return invocations;
}

/** Opens the scheduler at an endpoint. Returns a client, and the inputs that the function has received. */
async function openScheduler() {
  const { queues, deadLetterQueues } = openQueues(template, directory, clock);
  const inputs: unknown[] = [];
  const emulator = new SchedulerEmulator(template, join(directory, 'schedules.sqlite'), {
    invocations: { put: (_, input) => inputs.push(input) },
    deadLetterQueues,
    clock,
  });
  const { endpoint, configuration } = await serve('scheduler', emulator.serve);
  opened.push(
    () => emulator.stop(),
    () => queues.stop(),
    () => endpoint.close(),
  );
  const client = use(new SchedulerClient(configuration));
  const create = (Name: string) =>
    client.send(
      new CreateScheduleCommand({
        Name,
        GroupName: 'dogs',
        ScheduleExpression: 'rate(10 minutes)',
        StartDate: new Date('2026-11-21T12:10:00Z'),
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: {
          Arn: functionArn,
          RoleArn: `arn:aws:iam::${account}:role/Stack-Role`,
          Input: '"<aws.scheduler.scheduled-time>"',
        },
      }),
    );
  const names = async () => {
    const { Schedules = [] } = await client.send(new ListSchedulesCommand({}));
    return Schedules.map(({ Name }) => Name);
  };
  return { emulator, inputs, create, names };
}

async function openWorkflows(invoke: Invoke) {
  const ended: unknown[] = [];
  const dependencies = {
    invoke,
    invocations: { put: () => {} },
    onEnd: (event: unknown) => ended.push(event),
    clock,
  };
  const emulator = new StepFunctionsEmulator(template, join(directory, 'executions.sqlite'), dependencies);
  const { endpoint, configuration } = await serve('states', emulator.serve);
  opened.push(
    () => emulator.stop(),
    () => endpoint.close(),
  );
  const client = use(new SFNClient(configuration));
  const executionArn = arn('states', 'execution:Stack-Machine:one');
  return {
    ended,
    emulator,
    start: () => client.send(new StartExecutionCommand({ stateMachineArn, name: 'one' })),
    halt: () => client.send(new StopExecutionCommand({ executionArn })),
    statusOf: async () => (await client.send(new DescribeExecutionCommand({ executionArn }))).status,
  };
}

describe('While the disk is full', () => {
  test('an event that its function has processed is not processed again', async () => {
    const invoke = jest.fn<Promise<unknown>, [string, unknown]>(async () => {
      disk.isFull = true;
    });
    openInvocations(invoke).put(functionArn, {});
    await clock.advance(2.5 * minute);
    expect(messages()).toHaveLength(3);
    expect(new Set(messages())).toEqual(
      new Set([
        'The queue invocations cannot be written: database or disk is full. Free some space on the disk of DATA_DIR.',
      ]),
    );
    disk.isFull = false;
    await clock.advance(minute);
    stopAll();
    openInvocations(invoke).resume();
    await clock.advance(minute);
    expect(invoke).toHaveBeenCalledTimes(1);
  });

  test('an event that its function could not process goes to the dead-letter queue as soon as there is space', async () => {
    const invoke = jest.fn<Promise<unknown>, [string, unknown]>(async () => {
      disk.isFull = true;
      throw new FunctionError('Error', 'too loud');
    });
    openInvocations(invoke).put(functionArn, { dog: 'rex' });
    await clock.advance(minute);
    disk.isFull = false;
    invoke.mockImplementation(async () => {
      throw new FunctionError('Error', 'too loud');
    });
    await clock.advance(3 * minute);
    expect(deadLetterMessagesIn(directory, queueArn)).toHaveLength(1);
  });

  test('a new event is refused', async () => {
    const invoke = jest.fn<Promise<unknown>, [string, unknown]>(async () => null);
    const invocations = openInvocations(invoke);
    disk.isFull = true;
    expect(() => invocations.put(functionArn, {})).toThrow('database or disk is full');
    disk.isFull = false;
    invocations.put(functionArn, { dog: 'rex' });
    await clock.advance(0);
    expect(invoke.mock.calls.map(([, event]) => event)).toEqual([{ dog: 'rex' }]);
  });

  test('an occurrence waits until there is space, and is then delivered once', async () => {
    const { emulator, create, inputs } = await openScheduler();
    await create('rex');
    emulator.resume();
    disk.isFull = true;
    await clock.advance(15 * minute);
    expect(inputs).toEqual([]);
    expect(messages()[0]).toMatch(
      /schedules\.sqlite cannot be written: database or disk is full\. Free some space/,
    );
    disk.isFull = false;
    await clock.advance(minute);
    expect(inputs).toEqual(['2026-11-21T12:10:00Z']);
    await clock.advance(10 * minute);
    expect(inputs).toEqual(['2026-11-21T12:10:00Z', '2026-11-21T12:20:00Z']);
  });

  test('a schedule is not created, and is created when there is space', async () => {
    const { create, names } = await openScheduler();
    disk.isFull = true;
    await expect(create('rex')).rejects.toMatchObject(isFull);
    expect(await names()).toEqual([]);
    expect(messages()).toEqual([
      'The data of an emulator cannot be written: database or disk is full. Free some space on the disk of DATA_DIR.',
    ]);
    disk.isFull = false;
    await create('rex');
    expect(await names()).toEqual(['rex']);
  });

  test('an execution that completes is stored when there is space, and does not run again', async () => {
    const invoke = jest.fn<Promise<unknown>, [string, unknown]>(async () => {
      disk.isFull = true;
      return {};
    });
    const before = await openWorkflows(invoke);
    await before.start();
    await eventually(async () => expect(invoke).toHaveBeenCalledTimes(1));
    await eventually(async () => expect(messages()).toHaveLength(1));
    expect(messages()[0]).toMatch(/^The executions cannot be written: database or disk is full\. Free some/);
    expect([await before.statusOf(), before.ended]).toEqual(['RUNNING', []]);
    disk.isFull = false;
    await eventually(async () => {
      await clock.advance(1_000);
      expect(await before.statusOf()).toBe('SUCCEEDED');
    });
    expect(before.ended).toHaveLength(1);
    stopAll();
    const after = await openWorkflows(invoke);
    after.emulator.resume();
    expect(await after.statusOf()).toBe('SUCCEEDED');
    expect(invoke).toHaveBeenCalledTimes(1);
  });

  test('an execution cannot be started or stopped', async () => {
    const { start, halt, statusOf } = await openWorkflows(() => new Promise(() => {}));
    disk.isFull = true;
    await expect(start()).rejects.toMatchObject(isFull);
    disk.isFull = false;
    await start();
    disk.isFull = true;
    await expect(halt()).rejects.toMatchObject(isFull);
    expect(await statusOf()).toBe('RUNNING');
    disk.isFull = false;
    await halt();
    expect(await statusOf()).toBe('ABORTED');
  });

  test('a secret keeps its value', async () => {
    const emulator = new SecretsManagerEmulator(template, join(directory, 'secrets.sqlite'), { clock });
    const { endpoint, configuration } = await serve('secretsmanager', emulator.serve);
    opened.push(
      () => emulator.stop(),
      () => endpoint.close(),
    );
    const client = use(new SecretsManagerClient(configuration));
    const put = new PutSecretValueCommand({ SecretId: 'token', SecretString: 'new' });
    const value = async () =>
      (await client.send(new GetSecretValueCommand({ SecretId: 'token' }))).SecretString;
    disk.isFull = true;
    await expect(client.send(put)).rejects.toMatchObject(isFull);
    expect(await value()).toBe('old');
    disk.isFull = false;
    await client.send(put);
    expect(await value()).toBe('new');
  });

  test('a queue refuses messages, and keeps those that it has', async () => {
    const { queues } = openQueues(template, directory, clock);
    const { endpoint, configuration } = await serve('sqs', new SqsEmulator(queues).serve);
    opened.push(
      () => queues.stop(),
      () => endpoint.close(),
    );
    const client = use(new SQSClient(configuration));
    const QueueUrl = queues.find(({ arn }) => arn === queueArn)?.url;
    const send = (MessageBody: string) => client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    await send('before');
    disk.isFull = true;
    await expect(send('lost')).rejects.toMatchObject(isFull);
    disk.isFull = false;
    await send('after');
    expect(deadLetterMessagesIn(directory, queueArn).map(({ body }) => body)).toEqual(['before', 'after']);
  });

  test('the database responds with 500, and the terminal shows the reason', async () => {
    // Dynoxide has returned this text on a full disk.
    const message =
      'commit failed (backend: database or disk is full) and rollback also failed (backend: cannot rollback - no transaction is active)';
    const database = {
      tools: new Map([['put_item', new Set(['table_name', 'item'])]]),
      call: async () => ({
        text: JSON.stringify({ error_type: 'InternalServerError', message }),
        isError: true,
      }),
    } as unknown as DatabaseProcess;
    const operations = new Operations(database, { read: () => undefined } as unknown as ItemReader);
    const response = await operations.perform('PutItem', '{"TableName":"dogs","Item":{}}');
    expect(response).toMatchObject({ status: 500, body: expect.stringContaining('InternalServerError') });
    expect(messages()).toEqual([
      'The database cannot be written: database or disk is full. Free some space on the disk of DATA_DIR.',
    ]);
  });
});

// Only Linux has this file, to which every write fails with ENOSPC.
(existsSync('/dev/full') ? describe : describe.skip)('While a file cannot be written', () => {
  test('a mail is refused and not shown, and the next one is accepted when there is space', async () => {
    const file = join(directory, 'mails.jsonl');
    const mailbox = new Mailbox(file);
    symlinkSync('/dev/full', file);
    const { endpoint, configuration } = await serve(
      'ses',
      new SesEmulator(template, mailbox, {
        onEvent: () => {},
        suppressionList: { find: () => undefined },
        clock: systemClock,
      }).serve,
    );
    opened.push(() => endpoint.close());
    const send = () =>
      use(new SESClient(configuration)).send(
        new SendEmailCommand({
          Source: 'dogs@example.com',
          Destination: { ToAddresses: ['rex@example.com'] },
          Message: { Subject: { Data: 'Woof' }, Body: {} },
        }),
      );
    await expect(send()).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    expect(mailbox.list({}).total).toBe(0);
    expect(messages()).toEqual([expect.stringMatching(/cannot be written: ENOSPC.*Free some space/)]);
    unlinkSync(file);
    await send();
    expect([mailbox.list({}).total, new Mailbox(file).list({}).total]).toEqual([1, 1]);
  });

  test('a call is not refused because its authorization cannot be recorded', () => {
    const file = join(directory, 'permissions.jsonl');
    const log = new DecisionLog(file);
    symlinkSync('/dev/full', file);
    const decision = { caller: 'PutDog', action: 'a', resource: 'b', context: {}, allowedBy: [] };
    log.add(decision);
    expect(messages()).toEqual([expect.stringMatching(/permissions\.jsonl cannot be written: ENOSPC/)]);
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
    execFileSync('sh', ['-c', command, process.execPath, script, directory]);
    const seen = JSON.parse(readFileSync(join(directory, 'seen.json'), 'utf8'));
    expect(seen.errors).toEqual(['EFBIG', 'EFBIG', 'EFBIG']);
    expect(seen.mails.stored).toBeGreaterThan(4);
    expect(seen.mails.whileFull).toBe(seen.mails.stored);
    expect(seen.mails.after).toEqual([0, 1, 2, 3, -1]);
    expect(seen.log).toEqual(['{"line":-1}']);
    expect(seen.access).toEqual({ kept: { words: 'old' }, after: { words: 'new' } });
  },
);
