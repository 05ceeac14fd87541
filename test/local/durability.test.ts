import { copyFileSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as scheduler from '@aws-sdk/client-scheduler';
import * as secrets from '@aws-sdk/client-secrets-manager';
import * as sfn from '@aws-sdk/client-sfn';
import * as sqs from '@aws-sdk/client-sqs';
import { createLogsEmulator } from '../../local/logs/emulator.ts';
import { LogEvents } from '../../local/logs/log-events.ts';
import { SchedulerEmulator } from '../../local/scheduler/emulator.ts';
import { SecretsManagerEmulator } from '../../local/secrets-manager/emulator.ts';
import { Mailbox } from '../../local/ses/mailbox.ts';
import { SqsEmulator } from '../../local/sqs/emulator.ts';
import { StepFunctionsEmulator } from '../../local/step-functions/emulator.ts';
import { account, arn } from '../../local/template/arns.ts';
import { Template } from '../../local/template/template.ts';
import { callJson } from '../support/conformance.ts';
import { useTestCloud } from '../support/emulators.ts';
import { FullDisk } from '../support/full-disk.ts';

const functionArn = arn('lambda', 'function:Stack-Bark');
const stateMachineArn = arn('states', 'stateMachine:Stack-Machine');
const states = { Do: { Type: 'Task', Resource: functionArn, End: true } };
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
      Role: {
        Type: 'AWS::IAM::Role',
        Properties: { AssumeRolePolicyDocument: { Statement: [trust] } },
      },
      Queue: { Type: 'AWS::SQS::Queue' },
      ...Object.fromEntries(
        names.map((Name, i) => [`Secret${i}`, { Type: 'AWS::SecretsManager::Secret', Properties: { Name } }]),
      ),
      Log: { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: 'events', RetentionInDays: 7 } },
      Machine: {
        Type: 'AWS::StepFunctions::StateMachine',
        Properties: { DefinitionString: JSON.stringify({ StartAt: 'Do', States: states }) },
      },
    },
    Outputs: { Queue: { Value: { Ref: 'Queue' } } },
  },
  'Stack',
);
const cloud = useTestCloud();

/** A store with names. A write is complete if the names that are read include its name. */
interface Store {
  readonly write: (name: string) => unknown;
  /** Returns the names in the order in which they were written. */
  readonly read: () => Promise<unknown[]> | unknown[];
}

const stores: Record<string, () => Promise<Store> | Store> = {
  'EventBridge Scheduler': async () => {
    const { deadLetterQueues } = cloud.queues(template);
    const dependencies = { invocations: { put: () => {} }, deadLetterQueues, clock: cloud.clock };
    const emulator = cloud.use(new SchedulerEmulator(template, cloud.file('schedules.sqlite'), dependencies));
    const client = await cloud.client(scheduler.SchedulerClient, 'scheduler', emulator.serve);
    const RoleArn = `arn:aws:iam::${account}:role/Stack-Role`;
    const schedule = {
      ScheduleExpression: 'rate(10 minutes)',
      StartDate: new Date('2026-11-21T12:10:00Z'),
      FlexibleTimeWindow: { Mode: 'OFF' as const },
      Target: { Arn: functionArn, RoleArn },
    };
    return {
      write: (Name) => client.send(new scheduler.CreateScheduleCommand({ Name, ...schedule })),
      read: async () => {
        const found = names.map((Name) => client.send(new scheduler.GetScheduleCommand({ Name })));
        const results = await Promise.allSettled(found);
        return names.filter((_, i) => results[i]?.status === 'fulfilled');
      },
    };
  },
  'Secrets Manager': async () => {
    const file = cloud.file('secrets.sqlite');
    const emulator = cloud.use(new SecretsManagerEmulator(template, file, cloud.clock));
    const client = await cloud.client(secrets.SecretsManagerClient, 'secretsmanager', emulator.serve);
    return {
      write: (SecretId) =>
        client.send(new secrets.PutSecretValueCommand({ SecretId, SecretString: SecretId })),
      read: async () => {
        const reads = names.map((SecretId) => client.send(new secrets.GetSecretValueCommand({ SecretId })));
        const results = await Promise.allSettled(reads);
        return results.flatMap((result) => ('value' in result ? [result.value.SecretString] : []));
      },
    };
  },
  SQS: async () => {
    const { queues } = cloud.queues(template);
    const client = await cloud.client(sqs.SQSClient, 'sqs', new SqsEmulator(queues).serve);
    const { Queue: QueueUrl } = template.outputs;
    const all = { QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 };
    return {
      write: (MessageBody) => client.send(new sqs.SendMessageCommand({ QueueUrl, MessageBody })),
      read: async () => {
        const { Messages = [] } = await client.send(new sqs.ReceiveMessageCommand(all));
        return Messages.map(({ Body }) => Body);
      },
    };
  },
  'Step Functions, with executions that are started and stopped': async () => {
    const emulator = cloud.use(
      new StepFunctionsEmulator(template, cloud.file('executions.sqlite'), {
        invoke: () => new Promise(() => {}),
        invocations: { put: () => {} },
        onEnd: () => {},
        clock: cloud.clock,
      }),
    );
    const client = await cloud.client(sfn.SFNClient, 'states', emulator.serve);
    const statusOf = async (name: string) => {
      const executionArn = arn('states', `execution:Stack-Machine:${name}`);
      const described = client.send(new sfn.DescribeExecutionCommand({ executionArn }));
      return (await described.catch(() => undefined))?.status;
    };
    return {
      write: async (name) => {
        const start = new sfn.StartExecutionCommand({ stateMachineArn, name });
        const { executionArn } = await client.send(start);
        await client.send(new sfn.StopExecutionCommand({ executionArn }));
      },
      read: async () => {
        const statuses = await Promise.all(names.map(statusOf));
        return names.filter((_, i) => statuses[i] === 'ABORTED');
      },
    };
  },
};

/** Stores that write in another way, or whose statements were prepared before the disk is full. */
const otherStores: typeof stores = {
  'CloudWatch Logs': () => {
    const events = cloud.use(new LogEvents(template, cloud.file('logs.sqlite'), cloud.clock));
    const filter = { service: 'logs', target: 'Logs_20140328.FilterLogEvents' };
    return {
      write: (message) => events.put('events', message),
      read: async () => {
        const { events: found } = await callJson(createLogsEmulator(events), filter, {
          logGroupName: 'events',
        });
        return found.map(({ message }: { message: string }) => message);
      },
    };
  },
  'the mailbox of SES': () => {
    const mailbox = new Mailbox(cloud.file('mails.jsonl'));
    const mail = { from: 'dogs@example.com', destination: { to: [], cc: [], bcc: [] }, at: 0 };
    return {
      write: (subject) =>
        mailbox.add({ ...mail, messageId: subject, subject, body: { text: 'Wuff', html: '' } }),
      read: () =>
        mailbox
          .list()
          .emails.map(({ subject }) => subject)
          .toReversed(),
    };
  },
};

describe.each(Object.entries({ ...stores, ...otherStores }))('The store of %s', (_, open) => {
  test('has the data on disk before it responds, in files that only their owner can read', async () => {
    const { write } = await open();
    await write('one');
    await write('two');
    const names = readdirSync(cloud.directory);
    for (const name of names) expect([name, statSync(cloud.file(name)).mode & 0o777]).toEqual([name, 0o600]);
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
    const disk = new FullDisk();
    try {
      const { read, write } = await open();
      await write('one');
      let refusals = 0;
      for (; ; refusals++) {
        disk.writesLeft = refusals;
        const refused = await Promise.resolve(`try-${refusals}`)
          .then(write)
          .then(
            () => undefined,
            (error: Error) => error,
          );
        disk.isFull = false;
        if (!refused) break;
        expect(refused.message).toBe('database or disk is full');
        expect(await read()).toEqual(['one']);
      }
      expect(refusals).toBeGreaterThan(0);
      expect(cloud.logged).toContain(
        'The data of an emulator cannot be written: database or disk is full. Free some space on the disk of DATA_DIR.',
      );
      expect(await read()).toEqual(['one', `try-${refusals}`]);
    } finally {
      disk.restore();
    }
  });
});
