import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import * as logs from '@aws-sdk/client-cloudwatch-logs';
import * as scheduler from '@aws-sdk/client-scheduler';
import * as secrets from '@aws-sdk/client-secrets-manager';
import * as ses from '@aws-sdk/client-ses';
import * as sfn from '@aws-sdk/client-sfn';
import * as sqs from '@aws-sdk/client-sqs';
import type { DatabaseProcess } from '../../local/dynamodb/database-process.ts';
import type { ItemReader } from '../../local/dynamodb/item-reader.ts';
import { Operations } from '../../local/dynamodb/operations.ts';
import { DecisionLog } from '../../local/iam/decision-log.ts';
import { AsyncInvocations, type Invoke } from '../../local/lambda/async-invocations.ts';
import { FunctionError } from '../../local/lambda/errors.ts';
import { LogsEmulator } from '../../local/logs/emulator.ts';
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
import { sender } from '../support/conformance.ts';
import { useTestCloud } from '../support/emulators.ts';
import { FullDisk } from '../support/full-disk.ts';

const minute = 60_000;
const functionArn = arn('lambda', 'function:Stack-Bark');
const queueArn = arn('sqs', 'Stack-Failed');
const stateMachineArn = arn('states', 'stateMachine:Stack-Machine');
const task = { Type: 'Task', Resource: functionArn, End: true };
const trust = {
  Effect: 'Allow',
  Action: 'sts:AssumeRole',
  Principal: { Service: 'scheduler.amazonaws.com' },
};
/** The names that the tests write. */
const names = ['one', 'two', ...Array.from({ length: 10 }, (_, i) => `try-${i}`)];
const template = new Template(
  {
    Resources: {
      Bark: { Type: 'AWS::Lambda::Function' },
      Failed: { Type: 'AWS::SQS::Queue' },
      Role: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: { Statement: [trust] } } },
      ...Object.fromEntries(
        names.map((Name, i) => [`Secret${i}`, { Type: 'AWS::SecretsManager::Secret', Properties: { Name } }]),
      ),
      Log: { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: 'events', RetentionInDays: 7 } },
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
    Outputs: { Queue: { Value: { Ref: 'Failed' } } },
  },
  'Stack',
);

const cloud = useTestCloud();
let disk: FullDisk;
beforeEach(() => {
  disk = new FullDisk();
});
afterEach(() => disk.restore());

async function openScheduler(put: (functionArn: string, input: unknown) => void = () => {}) {
  const { deadLetterQueues } = cloud.queues(template);
  const dependencies = { invocations: { put }, deadLetterQueues, clock: cloud.clock };
  const emulator = cloud.use(new SchedulerEmulator(template, cloud.file('schedules.sqlite'), dependencies));
  const client = await cloud.client(scheduler.SchedulerClient, 'scheduler', emulator.serve);
  const send = sender(client, scheduler);
  const create = (Name: string, Input?: string) =>
    send<Response>('CreateSchedule', {
      Name,
      ScheduleExpression: 'rate(10 minutes)',
      StartDate: new Date('2026-11-21T12:10:00Z'),
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { Arn: functionArn, RoleArn: `arn:aws:iam::${account}:role/Stack-Role`, Input },
    });
  return { emulator, send, create };
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
  const send = sender(await cloud.client(sfn.SFNClient, 'states', emulator.serve), sfn);
  const call = (operation: string, name: string, input = {}) =>
    send<Response>(operation, { executionArn: arn('states', `execution:Stack-Machine:${name}`), ...input });
  const start = (name: string) => call('StartExecution', name, { stateMachineArn, name });
  const statusOf = async (name: string) => (await call('DescribeExecution', name)).status;
  return { ended, emulator, call, start, statusOf };
}

interface Response {
  readonly refused?: string;
  readonly message?: string;
  readonly status?: unknown;
}

/** A store with names. A write is complete if the names that are read include its name. */
interface Store {
  readonly write: (name: string) => Promise<Response>;
  /** Returns the names in the order in which they were written. */
  readonly read: () => Promise<unknown[]> | unknown[];
}

const stores: Record<string, () => Promise<Store> | Store> = {
  'EventBridge Scheduler': async () => {
    const { send, create } = await openScheduler();
    return {
      write: (name) => create(name),
      read: async () => {
        const found = await Promise.all(names.map((Name) => send('GetSchedule', { Name })));
        return names.filter((_, i) => !found[i]?.refused);
      },
    };
  },
  'Secrets Manager': async () => {
    const file = cloud.file('secrets.sqlite');
    const emulator = cloud.use(new SecretsManagerEmulator(template, file, cloud.clock));
    const client = await cloud.client(secrets.SecretsManagerClient, 'secretsmanager', emulator.serve);
    const send = sender(client, secrets);
    return {
      write: (SecretId) => send('PutSecretValue', { SecretId, SecretString: SecretId }),
      read: async () => {
        const found = await Promise.all(names.map((SecretId) => send('GetSecretValue', { SecretId })));
        return found.flatMap(({ SecretString }) => SecretString ?? []);
      },
    };
  },
  SQS: async () => {
    const { queues } = cloud.queues(template);
    const send = sender(await cloud.client(sqs.SQSClient, 'sqs', new SqsEmulator(queues).serve), sqs);
    const { Queue: QueueUrl } = template.outputs;
    const all = { QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 };
    return {
      write: (MessageBody) => send('SendMessage', { QueueUrl, MessageBody }),
      read: async () => {
        const { Messages = [] } = await send<sqs.ReceiveMessageResult>('ReceiveMessage', all);
        return Messages.map(({ Body }) => Body);
      },
    };
  },
  'Step Functions, with executions that are started and stopped': async () => {
    const { call, start, statusOf } = await openWorkflows(() => new Promise(() => {}));
    return {
      write: async (name) => {
        const started = await start(name);
        return started.refused ? started : call('StopExecution', name);
      },
      read: async () => {
        const statuses = await Promise.all(names.map(statusOf));
        return names.filter((_, i) => statuses[i] === 'ABORTED');
      },
    };
  },
};

/** A store to which no call of a client writes. */
const otherStores: typeof stores = {
  'CloudWatch Logs': async () => {
    const emulator = cloud.use(new LogsEmulator(template, cloud.file('logs.sqlite'), cloud.clock));
    const client = await cloud.client(logs.CloudWatchLogsClient, 'logs', emulator.serve);
    const send = sender(client, logs);
    return {
      write: async (message) => ({ status: emulator.put('events', message) }),
      read: async () => {
        const found = await send<logs.FilterLogEventsResponse>('FilterLogEvents', { logGroupName: 'events' });
        return (found.events ?? []).map(({ message }) => message);
      },
    };
  },
};

describe.each(Object.entries({ ...stores, ...otherStores }))('The store of %s', (_, open) => {
  test('has the data on disk before it responds', async () => {
    const { write } = await open();
    await write('one');
    await write('two');
    const names = readdirSync(cloud.directory);
    // A kill leaves the files as they are now. The next start creates the shared memory of SQLite again.
    const killed = mkdtempSync(`${cloud.directory}-killed-`);
    for (const name of names.filter((one) => !one.endsWith('-shm')))
      copyFileSync(cloud.file(name), join(killed, name));
    await cloud.stop();
    cloud.directory = killed;
    expect(await (await open()).read()).toEqual(['one', 'two']);
  });
});

describe.each(Object.entries(stores))('The store of %s', (_, open) => {
  test('writes all or nothing while the disk is full, and accepts writes when there is space', async () => {
    const { read, write } = await open();
    await write('one');
    let refusals = 0;
    for (; ; refusals++) {
      disk.writesLeft = refusals;
      const { refused, message } = await write(`try-${refusals}`);
      disk.isFull = false;
      if (!refused) break;
      expect(message).toBe('database or disk is full');
      expect(await read()).toEqual(['one']);
    }
    expect(refusals).toBeGreaterThan(0);
    expect(cloud.logged).toContain(
      'The data of an emulator cannot be written: database or disk is full. Free some space on the disk of DATA_DIR.',
    );
    expect(await read()).toEqual(['one', `try-${refusals}`]);
  });
});

function openInvocations(invoke: Invoke): AsyncInvocations {
  const { deadLetterQueues } = cloud.queues(template);
  const dependencies = { invoke, deadLetterQueues, clock: cloud.clock };
  return cloud.use(new AsyncInvocations(template, cloud.file('invocations.sqlite'), dependencies));
}

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
    const inputs: unknown[] = [];
    const { emulator, create } = await openScheduler((_, input) => inputs.push(input));
    await create('rex', '"<aws.scheduler.scheduled-time>"');
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
    await before.start('one');
    await eventually(async () => expect(cloud.logged).toHaveLength(1), { interval: 1 });
    expect(cloud.logged[0]).toMatch(
      /^The executions cannot be written: database or disk is full\. Free some/,
    );
    expect([await before.statusOf('one'), before.ended]).toEqual(['RUNNING', []]);
    disk.isFull = false;
    await eventually(
      async () => {
        await cloud.clock.advance(1_000);
        expect(await before.statusOf('one')).toBe('SUCCEEDED');
      },
      { interval: 1 },
    );
    expect(before.ended).toHaveLength(1);
    await cloud.stop();
    const after = await openWorkflows(invoke);
    after.emulator.resume();
    expect(await after.statusOf('one')).toBe('SUCCEEDED');
    expect(invoke).toHaveBeenCalledTimes(1);
  });

  test('the database responds with 500, and the terminal shows the reason', async () => {
    // Dynoxide has returned this text on a full disk.
    const message =
      'commit failed (backend: database or disk is full) and rollback also failed (backend: cannot rollback - no transaction is active)';
    const text = JSON.stringify({ error_type: 'InternalServerError', message });
    const tools = new Map([['put_item', new Set(['table_name', 'item'])]]);
    const database = { tools, call: async () => ({ text, isError: true }) } as unknown as DatabaseProcess;
    const reader = { read: () => undefined, keyOf: () => ({}) } as unknown as ItemReader;
    const operations = new Operations(database, reader);
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
      (await cloud.client(ses.SESClient, 'ses', emulator.serve)).send(
        new ses.SendRawEmailCommand({
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
