import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { eventually } from '@rest-actions/local-cloud/testing';
import { sortKey } from '../../lambdas/domain/barks/keys.ts';
import type { commandRunner } from '../bin/cli/runner.ts';
import { firstBarkRecords } from './bark-records.ts'; // @extension events
import { createTableLike, putItem } from './filled-tables.ts';
import { stackName } from './grants.ts';
import { putMessage } from './messages.ts';
import { removalOf } from './removals.ts';
import { client } from './support.ts';
import { itemsOf, withDatabase } from './tables.ts';

/** The incarnation of a deleted dog. */
const past = '01KAK0XW00ABCDEFGHJKMNPQRS';

/**
 * Defines tests of the commands that are not for access, keys or credentials.
 *
 * @param operate runs commands that must succeed, and returns the JSON that the last one prints
 */
export function testResourceCommands(
  directory: string,
  // biome-ignore lint/suspicious/noExplicitAny: each command has its own result
  operate: (...lines: string[]) => Promise<any>,
  dogs: ReturnType<typeof commandRunner>['dogs'],
): void {
  test('the commands for users, clients and grants work', async () => {
    await operate('users create ann --reveal', 'users rotate ann --yes --reveal');
    await operate('clients create phone --reveal', 'clients rotate phone --yes --reveal');
    await operate('grants create ann phone --reveal', 'grants rotate ann phone --yes --reveal');
    await operate('users list', 'users get ann', 'clients list', 'clients get phone');
    await operate('grants list', 'grants get ann phone', 'grants revoke ann phone --yes');
    await operate('clients revoke phone --yes', 'users revoke ann --yes');
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
}
