import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { sortKey } from '../../lambdas/domain/barks/keys.ts';
import type { Service } from '../../tools/service.ts';
import { Client, dogAt, eventually } from '../support/client.ts';
import { operatorAccess } from './operator-access.ts';
import { putMessage } from './queues.ts';
import { linesOf, operator, start, temporaryDirectory } from './support.ts';
import { itemsOf, putItem, removalOf } from './tables.ts';

const directory = temporaryDirectory();
let service: Service;
let client: Client;

beforeAll(async () => {
  service = await start(directory, { settings: ['authorizerCacheSeconds=0'] });
  client = new Client(service.access);
});

/** Returns a client with the credentials of another user. */
function clientOf(username: string, password: string): Client {
  return new Client({ base_url: service.access.base_url, username, password });
}
const passwordIn = (output: string) => /^password: (\S+)$/m.exec(output)?.[1] ?? '';
const statusFor = async (username: string, password: string) =>
  (await clientOf(username, password).get('/v1/dogs/')).status;

describe('a user', () => {
  let password: string;

  test('is created with a password that works', async () => {
    const { code, stdout } = await operator(directory, 'users', 'create', 'ann@example.com');
    password = passwordIn(stdout);
    expect(code).toBe(0);
    expect(stdout).toContain('username: ann@example.com\n');
    expect(await statusFor('ann@example.com', password)).toBe(200);
    expect(await statusFor('ann@example.com', `${password}x`)).toBe(401);
  });

  test('is not created twice, and keeps the password', async () => {
    const { code, stdout, stderr } = await operator(directory, 'users', 'create', 'ann@example.com');
    expect([code, stdout]).toEqual([1, '']);
    expect(linesOf(stderr)).toEqual([expect.stringContaining('ann@example.com')]);
    expect(await statusFor('ann@example.com', password)).toBe(200);
  });

  test('gets another password with --replace, and the previous one is no longer valid', async () => {
    const { stdout } = await operator(directory, 'users', 'create', 'ann@example.com', '--replace', '--json');
    const replaced = JSON.parse(stdout);
    expect(replaced).toEqual({ username: 'ann@example.com', password: expect.any(String) });
    expect(await statusFor('ann@example.com', password)).toBe(401);
    expect(await statusFor('ann@example.com', replaced.password)).toBe(200);
    password = replaced.password;
  });

  test('loses access when revoked, but other users do not', async () => {
    const { code } = await operator(directory, 'users', 'revoke', 'ann@example.com');
    expect(code).toBe(0);
    expect(await statusFor('ann@example.com', password)).toBe(401);
    expect((await client.get('/v1/dogs/')).status).toBe(200);
  });

  test('cannot be revoked if the user does not exist', async () => {
    const { code, stdout, stderr } = await operator(directory, 'users', 'revoke', 'ann@example.com');
    expect([code, stdout]).toEqual([1, '']);
    expect(linesOf(stderr)).toEqual([expect.stringContaining('ann@example.com')]);
  });
});

describe('a dog', () => {
  test('is created and replaced by the operator in the same way as by a client', async () => {
    const put = (...options: string[]) => operator(directory, 'dogs', 'put', 'rex', ...options);
    const created = await put(
      '--email',
      'rex@example.com',
      '--owner',
      'mailto:ann@example.com',
      '--effects',
      'emailDog,count',
    );
    expect([created.code, created.stdout]).toEqual([0, expect.stringContaining('created')]);
    expect(await dogAt(client, '/v1/dogs/rex/')).toEqual({
      id: 'rex',
      email: 'rex@example.com',
      owner: 'mailto:ann@example.com',
      barkCount: 0,
      barkEffects: ['emailDog', 'count'],
      barkHandling: 'sync',
      barking: false,
    });
    await client.post('/v1/dogs/rex/barks');
    const replaced = await put('--handling', 'async');
    expect([replaced.code, replaced.stdout]).toEqual([0, expect.stringContaining('replaced')]);
    expect(await dogAt(client, '/v1/dogs/rex/')).toMatchObject({
      barkCount: 1,
      barkEffects: ['record'],
      barkHandling: 'async',
    });
  });
});

describe('an invalid command', () => {
  const bad = [
    { parameters: [], help: 'users create' },
    { parameters: ['users', 'create'], help: 'users create' },
    { parameters: ['users', 'create', 'bob', 'max'], help: 'users create' },
    {
      parameters: ['users', 'bless', 'bob'],
      help: 'Unknown command "users bless". The commands are: users create, users revoke.',
    },
    { parameters: ['users', 'create', 'bob', '--force'], help: '--force' },
    { parameters: ['users', 'create', 'bob:max'], help: 'bob:max' },
    { parameters: ['dogs', 'put', 'a.b'], help: 'a.b' },
    { parameters: ['dogs', 'put', 'bob', '--effects', 'bite'], help: '--effects must be one of' },
    { parameters: ['dogs', 'put', 'bob', '--effects', 'emailDog'], help: '--email is required' },
    { parameters: ['dogs', 'put', 'bob', '--email', 'bob'], help: '--email must be an email address' },
    {
      parameters: ['queues', 'show', 'Unknown'],
      help: 'The queues are: WorkflowDlq, ScheduleDlq, BarkDlq, PurgeDlq',
    },
    { parameters: ['queues', 'resend', 'MailFeedback'], help: 'has notifications' },
    { parameters: ['queues', 'delete', 'BarkDlq', 'none'], help: 'has no message "none"' },
  ];

  test('is refused with one helpful line, and changes nothing', async () => {
    const refusals = await Promise.all(bad.map(({ parameters }) => operator(directory, ...parameters)));
    for (const [i, { parameters, help }] of bad.entries())
      expect([parameters, refusals[i]]).toEqual([
        parameters,
        { code: 1, stdout: '', stderr: expect.stringContaining(help) },
      ]);
    expect(refusals.map(({ stderr }) => stderr).join('')).not.toMatch(/^ {4}at /m);
    expect((await client.get('/v1/dogs/bob/')).status).toBe(404);
    expect((await operator(directory, 'users', 'revoke', 'bob')).code).toBe(1);
  });

  test('is not --help, which prints the commands', async () => {
    const { code, stdout } = await operator(directory, '--help');
    expect([code, stdout]).toEqual([0, expect.stringContaining('credentials show <name>')]);
  });

  test('is any command on a folder without a service', async () => {
    const elsewhere = temporaryDirectory();
    const { code, stderr } = await operator(elsewhere, 'users', 'create', 'bob');
    expect([code, linesOf(stderr)]).toEqual([1, [expect.stringContaining(elsewhere)]]);
  });
});

describe('a deleted dog', () => {
  test('is purged even if there is a new dog with the same id', async () => {
    const path = '/v1/dogs/max/';
    const bark = async (times: number) => {
      for (let i = 0; i < times; i++) await client.post(`${path}barks`);
    };
    await client.put(path, {});
    await bark(3);
    const old = await itemsOf(directory, 'max');
    expect(old).toHaveLength(3);
    await client.delete(path);
    await client.put(path, {});
    await bark(2);
    const kept = await eventually(async () => {
      const items = await itemsOf(directory, 'max');
      expect(items).not.toEqual(expect.arrayContaining(old.slice(0, 1)));
      expect(items).toHaveLength(2);
      return items;
    });
    expect((await dogAt(client, path)).barkCount).toBe(2);
    const listed = JSON.parse((await client.get(`${path}barks`)).text).barks as { id: string }[];
    expect(listed.map(({ id }) => sortKey('historyEntry', id.slice(1))).sort()).toEqual(kept.sort());
    await client.delete(path);
    await eventually(async () => expect(await itemsOf(directory, 'max')).toEqual([]));
  });

  test('is purged even if its barks exceed a page', async () => {
    const path = '/v1/dogs/moritz/';
    await client.put(path, {});
    await Promise.all(Array.from({ length: 120 }, () => client.post(`${path}barks`)));
    await client.delete(path);
    await eventually(async () => expect(await itemsOf(directory, 'moritz')).toEqual([]));
  });
});

describe('schedules that the scheduler has lost', () => {
  const scheduleNames = async () => {
    const { client, outputs } = operatorAccess(directory);
    const scheduler = new SchedulerClient(client);
    const ofDogs = new ListSchedulesCommand({ GroupName: outputs.ScheduleGroup });
    const { Schedules = [] } = await scheduler.send(ofDogs);
    scheduler.destroy();
    return Schedules.map(({ Name }) => Name).sort();
  };

  test('are created again by schedules repair, which changes no other schedule', async () => {
    const next = Math.floor(Date.now() / 1000) + 3600;
    const set = async (id: string, frequency: number | null) => {
      await client.put(`/v1/dogs/${id}/`, {});
      const response = await client.post(`/v1/dogs/${id}/bark-schedule`, { token: 1, next, frequency });
      expect(response.status).toBe(205);
    };
    await set('lost', 10);
    await set('lost-once', null);
    await set('kept', 10);
    await set('ended', 10);
    await client.delete('/v1/dogs/ended/bark-schedule');
    const before = await scheduleNames();
    expect(before).toHaveLength(3);

    await service.stop();
    const store = new DatabaseSync(join(directory, 'schedules.sqlite'));
    expect(store.prepare("DELETE FROM schedules WHERE name LIKE 'lost%'").run().changes).toBe(2);
    store.close();
    service = await start(directory, { settings: ['authorizerCacheSeconds=0'] });
    client = new Client(service.access);
    expect(await scheduleNames()).toEqual(before.filter((name) => name?.startsWith('kept.')));

    const repaired = await operator(directory, 'schedules', 'repair', '--json');
    expect([repaired.code, JSON.parse(repaired.stdout)]).toEqual([0, { schedules: 3, repaired: 2 }]);
    expect(await scheduleNames()).toEqual(before);
    expect((await dogAt(client, '/v1/dogs/lost/')).barks).toEqual({ previous: [], next, frequency: 10 });
    const again = await operator(directory, 'schedules', 'repair');
    expect([again.code, linesOf(again.stdout)]).toEqual([0, ['schedules: 3', 'repaired: 0']]);
  });
});

describe('a dead-letter message', () => {
  const queues = async (...parameters: string[]) => {
    const { code, stdout, stderr } = await operator(directory, 'queues', ...parameters, '--json');
    return { code, stderr, response: JSON.parse(stdout) };
  };

  test('is listed in its queue, and makes the dog bark when it is sent again', async () => {
    await client.put('/v1/dogs/late/', {});
    const next = Math.floor(Date.now() / 1000) + 5;
    const set = await client.post('/v1/dogs/late/bark-schedule', { token: 1, next, frequency: null });
    expect(set.status).toBe(205);
    await service.stop();
    // The schedule was due two hours ago, so the scheduler no longer delivers it.
    const store = new DatabaseSync(join(directory, 'schedules.sqlite'));
    store.prepare("UPDATE schedules SET due = due - 7200000 WHERE name LIKE 'late.%'").run();
    store.close();
    service = await start(directory);
    await service.says(
      /The queue ScheduleDlq has a new message: npm run operator -- queues show ScheduleDlq\n/,
    );

    // A message stays in its queue even if the service is killed.
    service.process.kill('SIGKILL');
    await service.exited;
    service = await start(directory, { settings: ['authorizerCacheSeconds=0'] });
    client = new Client(service.access);

    expect((await queues('list')).response).toEqual({
      WorkflowDlq: 0,
      ScheduleDlq: 1,
      BarkDlq: 0,
      PurgeDlq: 0,
      RefreshDlq: 0,
      MailFeedback: 0,
    });
    const shown = await queues('show', 'ScheduleDlq');
    expect(shown.response).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        sent: expect.stringMatching(/Z$/),
        reason: expect.stringContaining('EventAgeExceeded: '),
        event: expect.objectContaining({ version: 1, dog: 'late', firstScheduledAt: next }),
      },
    ]);
    expect(linesOf((await operator(directory, 'queues', 'show', 'ScheduleDlq')).stdout)).toEqual([
      `id: ${shown.response[0].id}`,
      `sent: ${shown.response[0].sent}`,
      `reason: ${shown.response[0].reason}`,
      `event: ${JSON.stringify(shown.response[0].event)}`,
    ]);
    expect((await dogAt(client, '/v1/dogs/late/')).barkCount).toBe(0);

    expect(await queues('resend', 'ScheduleDlq')).toEqual({
      code: 0,
      stderr: '',
      response: { sent: 1, kept: 0 },
    });
    await eventually(async () => {
      const { barkCount, barks } = await dogAt(client, '/v1/dogs/late/');
      expect({ barkCount, previous: barks?.previous }).toEqual({ barkCount: 1, previous: [next] });
    });
    expect((await queues('list')).response).toMatchObject({ ScheduleDlq: 0 });
    expect(linesOf((await operator(directory, 'queues', 'show', 'ScheduleDlq')).stdout)).toEqual(['none']);
  });

  test('of a purge is processed again from its record in the stream, or replaced by orphans purge', async () => {
    await client.put('/v1/dogs/stray/', {});
    await client.post('/v1/dogs/stray/barks');
    await client.delete('/v1/dogs/stray/');
    await eventually(async () => expect(await itemsOf(directory, 'stray')).toEqual([]));
    const { place, incarnation } = await removalOf(directory, 'stray');
    await putItem(directory, { dog: 'stray', sk: sortKey('historyEntry', 'left'), incarnation });
    const send = (startSequenceNumber: string) =>
      putMessage(directory, 'PurgeDlq', {
        requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 101 },
        DDBStreamBatchInfo: { ...place, startSequenceNumber, endSequenceNumber: startSequenceNumber },
      });
    await send(place.startSequenceNumber);
    expect(await queues('resend', 'PurgeDlq')).toMatchObject({ code: 0, response: { sent: 1, kept: 0 } });
    expect(await itemsOf(directory, 'stray')).toEqual([]);

    await putItem(directory, { dog: 'stray', sk: sortKey('historyEntry', 'left'), incarnation });
    const id = await send('77777');
    const kept = await queues('resend', 'PurgeDlq');
    expect(kept).toEqual({
      code: 1,
      stderr: expect.stringContaining(`${id} stays in the queue. `),
      response: { sent: 0, kept: 1 },
    });
    expect(kept.stderr).toContain('"orphans purge"');
    const purged = await operator(directory, 'orphans', 'purge', '--json');
    expect([purged.code, JSON.parse(purged.stdout)]).toEqual([0, { dogs: 1, items: 1 }]);
    expect(await itemsOf(directory, 'stray')).toEqual([]);
    expect(await queues('delete', 'PurgeDlq', id)).toMatchObject({ code: 0, response: { deleted: id } });
    expect((await queues('list')).response).toMatchObject({ PurgeDlq: 0 });
  });
});

describe('an operator whose service has ended', () => {
  test('gets a one-line error message', async () => {
    await service.stop();
    const { code, stderr } = await operator(directory, 'users', 'create', 'bob');
    expect([code, linesOf(stderr)]).toEqual([1, [expect.any(String)]]);
  });
});
