import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  CreateScheduleCommand,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ResourceNotFoundException as ScheduleNotFound,
  SchedulerClient,
} from '@aws-sdk/client-scheduler';
import {
  DeleteSuppressedDestinationCommand,
  GetSuppressedDestinationCommand,
  ListSuppressedDestinationsCommand,
  NotFoundException,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { localTime } from '../../../bin/cli/output.ts';
import { accountGroups, resourceGroups } from '../../../bin/cli/tree/resources.ts';
import { createClient } from '../../../lambdas/domain/access/clients.ts';
import { deleteDog } from '../../../lambdas/domain/dogs/delete.ts';
import { putDog } from '../../../lambdas/domain/dogs/put.ts';
import { readDog } from '../../../lambdas/domain/dogs/read.ts';
import { postSchedule } from '../../../lambdas/domain/schedules/change.ts';
import { suspendAddresses } from '../../../lambdas/domain/suspensions/suspend.ts';
import { sessionOf } from '../../support/command-line.ts';
import { currentContext } from '../../support/context.ts';
import { useDatabase } from '../../support/database.ts';
import { fillSuspensions, settingsOf } from '../../support/dogs.ts';
import { mockClient } from '../../support/mock-client.ts';
import { describeEvents } from './events.ts'; // @extension events
import { commandRunner, namesOf } from './runner.ts';
import { mockStack, stack } from './stack.ts';

useDatabase();

const scheduler = mockClient(SchedulerClient);
const sqs = mockClient(SQSClient);
const lambda = mockClient(LambdaClient);
const ses = mockClient(SESv2Client);
let outputs: Readonly<Record<string, string>>;

beforeAll(() => {
  outputs = mockStack();
});

beforeEach(() => {
  for (const mock of [scheduler, sqs, lambda]) mock.reset();
  scheduler.on(CreateScheduleCommand).resolves({});
  scheduler.on(DeleteScheduleCommand).resolves({});
  scheduler
    .on(GetScheduleCommand)
    .rejects(new ScheduleNotFound({ message: 'none', $metadata: {}, Message: 'none' }));
  sqs.on(GetQueueAttributesCommand).resolves({
    Attributes: { ApproximateNumberOfMessages: '1', ApproximateNumberOfMessagesNotVisible: '0' },
  });
  sqs.on(DeleteMessageCommand).resolves({});
});

const { ran, dogs, json, failure } = commandRunner('--stack', stack);

const expectSession = async (...commands: readonly string[]) =>
  expect(await sessionOf(dogs, ...commands)).toMatchSnapshot();

test('schedules are listed, shown, repaired and deleted', async () => {
  for (const id of ['rex', 'max', 'two']) await putDog(id, settingsOf('record'), {}, currentContext());
  const next = Math.floor(Date.now() / 1000) + 3600;
  await postSchedule('rex', { token: 1, next, frequency: 10 }, currentContext());
  await postSchedule('two', { token: 1, next, frequency: null }, currentContext());
  const { stdout, stderr } = await dogs('schedules list --limit 1 --json');
  const more = 'There are more than 1. Show more with --limit.\n';
  expect([JSON.parse(stdout).length, stderr]).toEqual([1, more]);
  await expectSession(
    'schedules list',
    'schedules delete two --yes',
    'schedules list --limit 1',
    'schedules get rex',
    'schedules repair',
  );
  expect(await dogs('schedules get rex')).toMatchObject({
    stdout: `last:      -\nnext:      ${localTime(next)} (in 1 hour)\nfrequency: every 10 minutes\n`,
    stderr: 'Use "npx dogs schedule get", which acts as a user. Version 2.0 removes this command.\n',
  });
  expect(scheduler.commandCalls(CreateScheduleCommand)).toHaveLength(3);
  await expectSession(
    'schedules delete rex --yes',
    'schedules list',
    'schedules get rex',
    'schedules get max',
    'schedules get none',
  );
  expect(scheduler.commandCalls(DeleteScheduleCommand)).toHaveLength(2);
  for (const id of ['rex', 'max', 'two']) await deleteDog(id, {}, currentContext());
});

test('users, clients and grants are created, listed, shown, rotated and revoked', () =>
  expectSession(
    'users create jane --reveal',
    'users create jane --reveal',
    'users rotate jane --yes --reveal',
    'users list',
    'users get jane',
    'clients create walker --reveal',
    'clients rotate walker --yes --reveal',
    'clients list',
    'clients get walker',
    'grants create jane walker --reveal',
    'grants create jane walker --reveal',
    'grants rotate jane walker --yes --reveal',
    'grants list',
    'grants get jane walker',
    'clients revoke walker --yes',
    'clients list',
    'grants list',
    'grants revoke jane walker --yes',
    'grants get jane walker',
    'users revoke jane --yes',
    'users rotate jane --yes --reveal',
    'users get jane',
  ));

test('access create creates a user, a client, a grant and a credential, or nothing', () =>
  expectSession(
    'access create tester --credential dogs --reveal',
    'grants get tester tester',
    'clients create half --reveal',
    'access create half --reveal',
    // The user must not exist, because its password was never shown.
    'users get half',
    'access create half --credential cats --reveal',
    'access create tester --reveal',
    'access create tester --replace --yes --reveal',
    'grants revoke tester tester --yes',
    'clients revoke tester --yes',
    'clients revoke half --yes',
    'users revoke tester --yes',
  ));

describe('a client ID with +', () => {
  const refusal =
    '2: "a+b" cannot be the ID of a client: some OAuth libraries send + as a space. Choose an ID without +.';

  test.each(['clients create a+b', 'access create a+b', 'access create a+b --replace --yes'])(
    'is refused by %s, which creates nothing',
    async (command) => {
      expect(await failure(`${command} --reveal`)).toBe(refusal);
      expect([await json('clients list'), await json('users list')]).toEqual([[], []]);
    },
  );

  test('of an earlier version can be rotated, replaced and revoked', async () => {
    await createClient('a+b', { replace: false }, currentContext());
    await json('clients rotate a+b --yes --reveal');
    expect(await json('access create a+b --replace --yes --reveal')).toMatchObject({ client_id: 'a+b' });
    for (const command of ['grants revoke a+b a+b', 'clients revoke a+b', 'users revoke a+b'])
      await json(`${command} --yes`);
  });
});

test('a user name can have +, which Basic credentials do not encode', async () => {
  await json('users create jane+dogs@example.com --reveal');
  await json('users revoke jane+dogs@example.com --yes');
});

describe('addresses', () => {
  const absent = new NotFoundException({ $metadata: {}, message: 'absent' });
  const suppressed = { EmailAddress: 'rex@example.com', Reason: 'COMPLAINT' } as const;
  const ofAccount = { address: 'rex@example.com', dog: null, reason: 'complained', since: 50 };

  beforeEach(async () => {
    const settings = { ...settingsOf('emailDog'), email: 'rex@example.com' };
    for (const id of ['other-dog', 'suspended-dog']) await putDog(id, settings, {}, currentContext());
    const { incarnation } = await readDog('suspended-dog', currentContext());
    const feedback = { addresses: ['rex@example.com'], reason: 'bounced', at: 100 } as const;
    await suspendAddresses({ dog: 'suspended-dog', incarnation, ...feedback }, currentContext());
    const LastUpdateTime = new Date(50_000);
    ses.on(ListSuppressedDestinationsCommand).resolves({
      SuppressedDestinationSummaries: [{ ...suppressed, LastUpdateTime }],
    });
    ses
      .on(GetSuppressedDestinationCommand)
      .resolves({ SuppressedDestination: { ...suppressed, LastUpdateTime } });
    ses.on(DeleteSuppressedDestinationCommand).resolves({});
  });

  test('stay suspended for the dogs if SES fails', async () => {
    await json('addresses list');
    ses.on(DeleteSuppressedDestinationCommand).rejects(new Error('SES is down.'));
    expect((await dogs('addresses lift rex@example.com')).code).toBe(1);
    const { suspensions } = await readDog('suspended-dog', currentContext());
    expect(suspensions).toEqual([expect.not.objectContaining({ lifted: expect.anything() })]);
  });

  test('are listed if they are suspended for the account or for a dog, and can be shown and lifted', async () => {
    const lift = 'addresses lift rex@example.com';
    await expectSession('addresses list', 'addresses get REX@example.com', lift);
    expect(ses.commandCalls(DeleteSuppressedDestinationCommand)[0]?.args[0].input).toEqual({
      EmailAddress: 'rex@example.com',
    });
    expect(await json('addresses list')).toEqual([ofAccount]);
    ses.on(GetSuppressedDestinationCommand).rejects(absent);
    ses.on(DeleteSuppressedDestinationCommand).rejects(absent);
    await expectSession(lift, 'addresses get rex@example.com');
  });

  test('are listed if the list of the dog is full, and can be lifted for the dogs that have them', async () => {
    const { settings } = await readDog('suspended-dog', currentContext());
    await putDog('full-dog', settings, {}, currentContext());
    await putDog('full-dog-of-max', { ...settings, email: 'max@example.com' }, {}, currentContext());
    for (const id of ['full-dog', 'full-dog-of-max']) await fillSuspensions(id);
    const implied = { address: 'rex@example.com', dog: 'full-dog', reason: 'list-full', since: 99 };
    expect(await json('addresses list')).toContainEqual(implied);
    expect(await json('addresses lift rex@example.com')).toMatchObject({ dogs: ['full-dog'] });
    const max = { address: 'max@example.com', dog: 'full-dog-of-max', reason: 'list-full', since: 99 };
    expect(await json('addresses list')).toEqual([max, ofAccount]);
    for (const id of ['full-dog', 'full-dog-of-max']) await deleteDog(id, {}, currentContext());
  });
});

describe('queues', () => {
  const message = {
    MessageId: 'm1',
    ReceiptHandle: 'r1',
    Attributes: { SentTimestamp: '0' },
    Body: JSON.stringify({
      requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 3 },
      requestPayload: { dog: 'rex' },
    }),
  };
  let messages: object[];
  beforeEach(() => {
    messages = [message];
    sqs.on(ReceiveMessageCommand).callsFake(async () => ({ Messages: messages.splice(0) }));
  });

  test('are listed with the number of messages in each, and show their messages', async () => {
    const lists = ['BarkDlq', 'MailFeedback'].map((queue) => ({ queue, messages: 1 }));
    expect(await json('queues list')).toEqual(lists);
    expect((await dogs('queues get BarkDlq')).stdout).toMatch(
      /^id: {5}m1\nsent: {3}19.* \(.* years ago\)\nreason: RetriesExhausted after 3 tries\nevent: {2}{"dog":"rex"}\n$/,
    );
  });

  test('keep a message that cannot be redriven, and the exit code is 1', async () => {
    lambda.on(InvokeCommand).rejects(new Error('Lambda is down.'));
    const { code, stdout, stderr } = await dogs('queues redrive BarkDlq --json');
    expect([code, JSON.parse(stdout)]).toEqual([1, { sent: 0, kept: 1 }]);
    expect(stderr).toBe(
      'm1 stays in the queue. Lambda is down.\nNot all messages were redriven. Read the others with "npx dogs queues get BarkDlq".\n',
    );
  });

  test('lose one message with queues delete, and all with queues purge', async () => {
    expect(await json('queues delete BarkDlq m1 --yes')).toEqual({ deleted: 'm1' });
    messages.push(message);
    expect(await failure('queues delete BarkDlq m2 --yes')).toMatch(/^1: .*has no message "m2"/);
    messages.push(message);
    expect(await json('queues purge MailFeedback --yes')).toEqual({ deleted: 1 });
  });
});

describeEvents(dogs); // @extension events

describe('tables', () => {
  test('are filled from a restored table, and --replace overwrites items', async () => {
    const database = new DynamoDBClient();
    const TableName = `${stack}-restored-Dogs`;
    await database.send(
      new CreateTableCommand({
        TableName,
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    await database.send(new PutItemCommand({ TableName, Item: { id: { S: 'restored' } } }));
    const fill = `tables fill dogs ${TableName}`;
    await expectSession(fill, fill, `${fill} --replace --yes`);
  });

  test('are not filled from a missing table, from one with other keys, or if their name is unknown', async () => {
    await expectSession('tables fill dogs nowhere', 'tables fill cats dogs');
    const other = await failure(`tables fill dogs ${outputs.BarksTable}`);
    expect(other).toMatch(/^2: The keys of the table .* differ from those of .*, which are id\. /);
  });
});

test('tables are protected', async () => {
  await expectSession('tables protect', 'tables protect');
  for (const table of ['DogsTable', 'BarksTable', 'AccessTable']) {
    const deletion = new DynamoDBClient().send(new DeleteTableCommand({ TableName: outputs[table] }));
    await expect(deletion).rejects.toThrow('protected against deletion');
  }
});

test('orphans are purged', async () => {
  await json('orphans purge --yes');
  const Item = { dog: { S: 'gone' }, sk: { S: 'h#1' }, incarnation: { S: 'past' } };
  await new DynamoDBClient().send(new PutItemCommand({ TableName: outputs.BarksTable, Item }));
  expect(await json('orphans purge --yes')).toEqual({ dogs: 1, items: 1 });
});

test.each(['', 'rex', '..'])('the text "%s" is refused as an address', async (text) => {
  for (const command of ['get', 'lift'])
    expect(await failure(`addresses ${command} ${text}`)).toMatch(
      /^2: .*(not be empty|not an email address)/,
    );
});

test('the tests of this file run every command', () => {
  const names = namesOf({ groups: { ...accountGroups, ...resourceGroups } });
  expect([...ran].filter((name) => name !== 'access create').sort()).toEqual(names.sort());
});
