import { readFileSync } from 'node:fs';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { operator as caller } from '@rest-actions/local-cloud/parts';
import { operatorPolicies, readAssembly } from '@rest-actions/local-cloud/template';
import { eventually } from '@rest-actions/local-cloud/testing';
import { sortKey } from '../../../lambdas/domain/barks/keys.ts';
import { commandRunner } from '../../bin/cli/runner.ts';
import { Client } from '../../support/client.ts';
import { authorizationDecisions, deniedPermissions, recordingStart } from '../../support/permissions.ts';
import { preparedStack } from '../../support/prepare-services.ts';
import { firstBarkRecords } from '../bark-records.ts'; // @extension events
import { grantsOf, stackName, superfluous } from '../grants.ts';
import { operatorAccess, putMessage } from '../operator-access.ts';
import { removalOf } from '../removals.ts';
import { client, service, useService } from '../support.ts';
import { createTableLike, itemsOf, putItem, withDatabase } from '../tables.ts';

const directory = useService({ command: recordingStart });
/** The incarnation of a deleted dog. */
const past = '01KAK0XW00ABCDEFGHJKMNPQRS';
const grants = operatorPolicies(readAssembly(preparedStack).template).flatMap(grantsOf);

/** Runs commands as on a deployed stack: their credentials have only the permissions of the operator's policy. */
const { dogs, json } = commandRunner('--stack', stackName);

/** Runs commands that must succeed. @returns the JSON that the last one prints */
async function operate(...lines: string[]) {
  let printed: Awaited<ReturnType<typeof json>>;
  for (const line of lines) printed = await json(line);
  return printed;
}

beforeAll(() => {
  const { endpoint, region, credentials } = operatorAccess(directory).operator;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  });
});

test('access create needs the permissions of the role in docs/deploy-test-role.yaml', async () => {
  await operate('access create ci --reveal');
  const role = readFileSync('docs/deploy-test-role.yaml', 'utf8');
  const [, policy = ''] = role.split('PolicyName: CreateAccess');
  const granted = policy.match(/\b(?:cloudformation|dynamodb|secretsmanager):[A-Z]\w+/g) ?? [];
  const used = needs().map(({ action }) => action);
  expect([...new Set(used)].sort()).toEqual(granted.sort());
});

describe('with only the policy of the stack', () => {
  test('the commands for users, clients, grants and keys work', async () => {
    const created = await operate('access create tester --credential dogs --reveal');
    expect(await new Client(created).get('/v1/dogs/')).toMatchObject({ status: 200 });
    await operate('users create ann --reveal', 'users rotate ann --yes --reveal');
    await operate('clients create phone --reveal', 'clients rotate phone --yes --reveal');
    await operate('grants create ann phone --reveal', 'grants rotate ann phone --yes --reveal');
    await operate('users list', 'users get ann', 'clients list', 'clients get phone');
    await operate('grants list', 'grants get ann phone', 'grants revoke ann phone --yes');
    await operate('clients revoke phone --yes', 'users revoke ann --yes');
    const { kid } = await operate('keys rotate');
    await operate('keys list', `keys get ${kid}`);
  });

  test('the commands for credentials work', async () => {
    const { auth_url, client_id, client_secret, refresh_token } = service.access;
    const input = JSON.stringify({ auth_url, client_id, client_secret, refresh_token });
    await json('credentials put dogs', { input });
    await operate('credentials list', `credentials move dogs ${client.baseUrl} ${client.baseUrl}`);
    expect(await operate('credentials get dogs --reveal')).toMatchObject({ refresh_token });
  });

  test('the commands for schedules and orphans work', async () => {
    await client.put('/v1/dogs/rex/', { barkEffects: ['count'] });
    await client.post('/v1/dogs/rex/bark-schedule', { token: 1, next: 0, frequency: 10 });
    await operate('schedules repair', 'schedules get rex');
    expect(await operate('schedules list')).toMatchObject([{ dog: 'rex', frequency: 10 }]);
    await operate('schedules delete rex --yes');
    await client.delete('/v1/dogs/rex/');
    await eventually(async () => expect(await itemsOf(directory, 'rex')).toEqual([]));
    await putItem(directory, { dog: 'gone', sk: sortKey('historyEntry', 'left'), incarnation: past });
    expect(await operate('orphans purge --yes')).toEqual({ dogs: 1, items: 1 });
  });

  test('the commands for addresses work', async () => {
    await operate('addresses list', 'addresses lift rex@example.com');
    expect((await dogs('addresses get rex@example.com')).code).toBe(1);
  });

  test('the commands for queues work on each queue', async () => {
    await client.put('/v1/dogs/stray/', {});
    await client.delete('/v1/dogs/stray/');
    const place = await eventually(async () => {
      const removal = await removalOf(directory, 'stray');
      expect(removal.startSequenceNumber).not.toBe('');
      return removal;
    });
    expect(await itemsOf(directory, 'stray')).toEqual([]);
    const requestContext = { condition: 'RetriesExhausted', approximateInvokeCount: 3 };
    const record = { ...place, endSequenceNumber: place.startSequenceNumber };
    const failed = { requestContext, requestPayload: { dog: 'none', bark: 'none' } };
    const messages: Record<string, object> = {
      WorkflowDlq: failed,
      ScheduleDlq: failed,
      BarkDlq: failed,
      PurgeDlq: { requestContext, DDBStreamBatchInfo: record },
      PublishDlq: { requestContext, DDBStreamBatchInfo: await firstBarkRecords(directory, 2) }, // @extension events
      RefreshDlq: failed,
      SuspensionDlq: failed,
      MailFeedback: { source: 'aws.ses', 'detail-type': 'Email Bounced', detail: {} },
    };
    const listed: { queue: string }[] = await operate('queues list');
    expect(listed.map(({ queue }) => queue).sort()).toEqual(Object.keys(messages).sort());
    const act = async ([queue, message]: [string, object]) => {
      await putMessage(directory, queue, message);
      const id = await putMessage(directory, queue, message);
      expect(await operate(`queues get ${queue}`)).toHaveLength(2);
      await operate(`queues delete ${queue} ${id} --yes`);
      if (queue === 'MailFeedback') await operate(`queues purge ${queue} --yes`);
      else expect(await operate(`queues redrive ${queue}`)).toEqual({ sent: 1, kept: 0 });
    };
    const all = Object.entries(messages);
    await Promise.all(all.slice(0, 3).map(act));
    await Promise.all(all.slice(3).map(act));
  });

  // @extension events {
  test('events tail prints each event as one line', async () => {
    const tail = dogs('events tail --json --dog loud --type dogs.bark --count 2');
    await client.put('/v1/dogs/loud/', {});
    for (let i = 0; i < 2; i++) await client.post('/v1/dogs/loud/barks');
    const { code, stdout, stderr } = await tail;
    expect([code, stderr]).toEqual([0, '']);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toMatchObject(Array(2).fill({ type: 'dogs.bark.completed', data: { dog: 'loud' } }));
  });
  // @extension events }

  test.each([
    ['dogs', 'DogsTable'],
    ['barks', 'BarksTable'],
    ['access', 'AccessTable'],
  ])('tables fill %s works from a table that is named after the stack', async (table, output) => {
    const source = `${stackName}-restored-${table}`;
    const keys = await createTableLike(directory, output, source);
    const Item = Object.fromEntries(keys.map(({ AttributeName = '' }) => [AttributeName, { S: 'restored' }]));
    const put = new PutItemCommand({ TableName: source, Item });
    await withDatabase(directory, (database) => database.send(put));
    expect(await operate(`tables fill ${table} ${source}`)).toEqual({ written: 1, kept: 0 });
  });

  test('tables protect works', () => operate('tables protect'));

  test('a table with another name is refused in one line', async () => {
    const { code, stderr } = await dogs('tables fill dogs foreign');
    expect([code, stderr.trim().split('\n')]).toEqual([
      1,
      [expect.stringContaining('is not authorized to perform: dynamodb:DescribeTable on resource:')],
    ]);
  });
});

const needs = () => authorizationDecisions(directory).filter((need) => need.caller === caller);

test('the policy grants each action of the commands', async () => {
  const foreign = `${caller}: dynamodb:DescribeTable on arn:aws:dynamodb:us-east-1:000000000000:table/foreign`;
  await eventually(async () => expect(deniedPermissions(service.output())).toEqual([foreign]));
});

test('the commands use each grant, and are refused without it', () => {
  expect(superfluous(grants, needs())).toEqual([]);
  expect(grants.length).toBeGreaterThan(40);
});
