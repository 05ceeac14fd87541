import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { sortKey } from '../../lambdas/domain/barks/keys.ts';
import type { Service } from '../../tools/service.ts';
import { Client, dogAt, eventually } from '../support/client.ts';
import { operatorAccess } from './operator-access.ts';
import { putMessage } from './queues.ts';
import { linesOf, run, runCommand, runCommandReading, start, temporaryDirectory } from './support.ts';
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
    const { code, stdout, stderr } = await runCommand(
      directory,
      'users',
      'create',
      'ann@example.com',
      '--reveal',
    );
    password = passwordIn(stdout);
    expect([code, linesOf(stderr)]).toEqual([0, [expect.stringContaining('Store the secret now')]]);
    expect(stdout).toContain('username: ann@example.com\n');
    expect(await statusFor('ann@example.com', password)).toBe(200);
    expect(await statusFor('ann@example.com', `${password}x`)).toBe(401);
  });

  test('is not created if the password would be lost in a pipe', async () => {
    const { code, stdout } = await runCommand(directory, 'users', 'create', 'lost');
    expect([code, stdout]).toEqual([2, '']);
    expect((await runCommand(directory, 'users', 'get', 'lost')).code).toBe(1);
  });

  test('is not created twice, and keeps the password', async () => {
    const again = await runCommand(directory, 'users', 'create', 'ann@example.com', '--reveal');
    expect([again.code, again.stdout]).toEqual([1, '']);
    expect(linesOf(again.stderr)).toEqual([expect.stringContaining('ann@example.com')]);
    expect(await statusFor('ann@example.com', password)).toBe(200);
  });

  test('is listed with the time of its creation', async () => {
    const { stdout } = await runCommand(directory, 'users', 'list', '--json');
    const ann = { username: 'ann@example.com', created: expect.any(Number) };
    expect(JSON.parse(stdout)).toEqual([ann, { username: 'dog-lover', created: expect.any(Number) }]);
    const { stdout: one } = await runCommand(directory, 'users', 'get', 'ann@example.com', '--json');
    expect(JSON.parse(one)).toEqual(ann);
  });

  test('gets another password with users rotate, and the previous one is no longer valid', async () => {
    const parameters = ['users', 'rotate', 'ann@example.com', '--yes', '--reveal', '--json'];
    const { stdout } = await runCommand(directory, ...parameters);
    const rotated = JSON.parse(stdout);
    expect(rotated).toEqual({ username: 'ann@example.com', password: expect.any(String) });
    expect(await statusFor('ann@example.com', password)).toBe(401);
    expect(await statusFor('ann@example.com', rotated.password)).toBe(200);
    password = rotated.password;
  });

  test('loses access when revoked, but other users do not', async () => {
    const { code } = await runCommand(directory, 'users', 'revoke', 'ann@example.com', '--yes');
    expect(code).toBe(0);
    expect(await statusFor('ann@example.com', password)).toBe(401);
    expect((await client.get('/v1/dogs/')).status).toBe(200);
  });

  test('cannot be revoked if the user does not exist', async () => {
    const parameters = ['users', 'revoke', 'ann@example.com', '--yes'];
    const { code, stdout, stderr } = await runCommand(directory, ...parameters);
    expect([code, stdout]).toEqual([1, '']);
    expect(linesOf(stderr)).toEqual([expect.stringContaining('ann@example.com')]);
  });
});

describe('a dog', () => {
  test('is created, replaced and shown by the operator in the same way as by a client', async () => {
    const created = await runCommand(
      directory,
      ...['create', 'rex', '--email', 'rex@example.com', '--owner', 'mailto:ann@example.com'],
      ...['--bark-effects', 'emailDog,count'],
    );
    expect([created.code, created.stdout]).toEqual([0, 'created: rex\n']);
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
    expect((await runCommand(directory, 'create', 'rex')).code).toBe(1);
    const replaced = await runCommand(directory, 'replace', 'rex', '--bark-handling', 'async');
    expect([replaced.code, replaced.stdout]).toEqual([0, 'replaced: rex\n']);
    const dog = await dogAt(client, '/v1/dogs/rex/');
    expect(dog).toMatchObject({ barkCount: 1, barkEffects: ['record'], barkHandling: 'async' });
    const { stdout } = await runCommand(directory, 'get', 'rex', '--json');
    expect(JSON.parse(stdout)).toEqual(dog);
  });

  test('is deleted by the operator', async () => {
    const { code } = await runCommand(directory, 'delete', 'rex', '--yes');
    expect([code, (await client.get('/v1/dogs/rex/')).status]).toEqual([0, 404]);
    expect((await runCommand(directory, 'delete', 'rex', '--yes')).code).toBe(1);
  });
});

describe('a schedule', () => {
  test('is listed, shown and ended by the operator', async () => {
    const next = Math.floor(Date.now() / 1000) + 3600;
    await client.put('/v1/dogs/timed/', {});
    await client.post('/v1/dogs/timed/bark-schedule', { token: 1, next, frequency: 10 });
    const list = async () => JSON.parse((await runCommand(directory, 'schedules', 'list', '--json')).stdout);
    expect(await list()).toEqual([{ dog: 'timed', next, frequency: 10 }]);
    const { stdout } = await runCommand(directory, 'schedules', 'get', 'timed', '--json');
    expect(JSON.parse(stdout)).toEqual({ last: null, next });
    expect((await runCommand(directory, 'schedules', 'delete', 'timed', '--yes')).code).toBe(0);
    expect(await list()).toEqual([]);
  });
});

describe('an incorrect command', () => {
  const bad = [
    { parameters: [], code: 2, help: 'Resources:' },
    { parameters: ['users', 'create'], code: 2, help: "Missing required argument 'user'." },
    { parameters: ['users', 'bless', 'bob'], code: 2, help: "Unknown command 'bless'." },
    { parameters: ['users', 'create', 'bob', '--force'], code: 2, help: "Unknown option '--force'." },
    { parameters: ['users', 'create', 'bob:max', '--reveal'], code: 2, help: 'bob:max' },
    { parameters: ['create', 'a.b'], code: 2, help: 'a.b' },
    {
      parameters: ['create', 'bob', '--bark-effects', 'bite'],
      code: 2,
      help: '--bark-effects must be one of',
    },
    { parameters: ['create', 'bob', '--bark-effects', 'emailDog'], code: 2, help: '--email is required' },
    { parameters: ['queues', 'get', 'Unknown'], code: 2, help: 'The queues are: WorkflowDlq, ScheduleDlq' },
    { parameters: ['queues', 'redrive', 'MailFeedback'], code: 2, help: 'contains notifications' },
    { parameters: ['queues', 'delete', 'BarkDlq', 'none', '--yes'], code: 1, help: 'has no message "none"' },
  ];

  test('is refused with a helpful line and changes nothing', async () => {
    const refusals = await Promise.all(bad.map(({ parameters }) => runCommand(directory, ...parameters)));
    for (const [i, { parameters, code, help }] of bad.entries())
      expect([parameters, refusals[i]]).toEqual([
        parameters,
        { code, stdout: '', stderr: expect.stringContaining(help) },
      ]);
    expect(refusals.map(({ stderr }) => stderr).join('')).not.toMatch(/^ {4}at /m);
    expect((await client.get('/v1/dogs/bob/')).status).toBe(404);
    expect((await runCommand(directory, 'users', 'get', 'bob')).code).toBe(1);
  });

  test('is any command on a folder without a service', async () => {
    const elsewhere = temporaryDirectory();
    const { code, stderr } = await runCommand(elsewhere, 'users', 'list');
    expect([code, linesOf(stderr)]).toEqual([1, [expect.stringContaining(elsewhere)]]);
  });
});

describe('npx dogs', () => {
  /** Runs the bin of the package as a user does, with an empty cache of npm. */
  const npx = (...parameters: string[]) =>
    run('npx', ['--offline', 'dogs', ...parameters], {
      DATA_DIR: directory,
      npm_config_cache: temporaryDirectory(),
    });

  test('prints only the result to standard output', async () => {
    const { code, stdout } = await npx('users', 'get', 'dog-lover', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, { username: 'dog-lover', created: expect.any(Number) }]);
  });

  test('has the exit codes of the command', async () => {
    expect(await npx('users', 'get', 'absent')).toMatchObject({ code: 1, stdout: '' });
    expect(await npx('users', 'gett')).toMatchObject({ code: 2, stdout: '' });
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

    const repaired = await runCommand(directory, 'schedules', 'repair', '--json');
    expect([repaired.code, JSON.parse(repaired.stdout)]).toEqual([
      0,
      { schedules: 3, repaired: 2, refused: [] },
    ]);
    expect(await scheduleNames()).toEqual(before);
    expect((await dogAt(client, '/v1/dogs/lost/')).barks).toEqual({ previous: [], next, frequency: 10 });
    const again = await runCommand(directory, 'schedules', 'repair');
    expect([again.code, linesOf(again.stdout)]).toEqual([0, ['schedules: 3', 'repaired: 0', 'refused: -']]);
  });
});

describe('a dead-letter message', () => {
  const queues = async (...parameters: string[]) => {
    const { code, stdout, stderr } = await runCommand(directory, 'queues', ...parameters, '--json');
    return { code, stderr, response: JSON.parse(stdout) };
  };
  /** Returns the number of messages in each queue. */
  const counts = async () => {
    const { response } = await queues('list');
    return Object.fromEntries(
      response.map(({ queue, messages }: { queue: string; messages: number }) => [queue, messages]),
    );
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
    await service.says(/The queue ScheduleDlq has a new message: npx dogs queues get ScheduleDlq\n/);

    // A message stays in its queue even if the service is killed.
    service.process.kill('SIGKILL');
    await service.exited;
    service = await start(directory, { settings: ['authorizerCacheSeconds=0'] });
    client = new Client(service.access);

    expect(await counts()).toEqual({
      WorkflowDlq: 0,
      ScheduleDlq: 1,
      BarkDlq: 0,
      PurgeDlq: 0,
      RefreshDlq: 0,
      MailFeedback: 0,
    });
    const shown = await queues('get', 'ScheduleDlq');
    expect(shown.response).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        sent: expect.stringMatching(/Z$/),
        reason: expect.stringContaining('EventAgeExceeded: '),
        event: expect.objectContaining({ version: 1, dog: 'late', firstScheduledAt: next }),
      },
    ]);
    expect(linesOf((await runCommand(directory, 'queues', 'get', 'ScheduleDlq')).stdout)).toEqual([
      `id: ${shown.response[0].id}`,
      `sent: ${shown.response[0].sent}`,
      `reason: ${shown.response[0].reason}`,
      `event: ${JSON.stringify(shown.response[0].event)}`,
    ]);
    expect((await dogAt(client, '/v1/dogs/late/')).barkCount).toBe(0);

    expect(await queues('redrive', 'ScheduleDlq')).toEqual({
      code: 0,
      stderr: '',
      response: { sent: 1, kept: 0 },
    });
    await eventually(async () => {
      const { barkCount, barks } = await dogAt(client, '/v1/dogs/late/');
      expect({ barkCount, previous: barks?.previous }).toEqual({ barkCount: 1, previous: [next] });
    });
    expect(await counts()).toMatchObject({ ScheduleDlq: 0 });
    expect(linesOf((await runCommand(directory, 'queues', 'get', 'ScheduleDlq')).stdout)).toEqual(['none']);
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
    expect(await queues('redrive', 'PurgeDlq')).toMatchObject({ code: 0, response: { sent: 1, kept: 0 } });
    expect(await itemsOf(directory, 'stray')).toEqual([]);

    await putItem(directory, { dog: 'stray', sk: sortKey('historyEntry', 'left'), incarnation });
    const id = await send('77777');
    const kept = await queues('redrive', 'PurgeDlq');
    expect(kept).toEqual({
      code: 1,
      stderr: expect.stringContaining(`${id} stays in the queue. `),
      response: { sent: 0, kept: 1 },
    });
    expect(kept.stderr).toContain('"npx dogs orphans purge"');
    const purged = await runCommand(directory, 'orphans', 'purge', '--yes', '--json');
    expect([purged.code, JSON.parse(purged.stdout)]).toEqual([0, { dogs: 1, items: 1 }]);
    expect(await itemsOf(directory, 'stray')).toEqual([]);
    expect(await queues('delete', 'PurgeDlq', id, '--yes')).toMatchObject({
      code: 0,
      response: { deleted: id },
    });
    expect(await counts()).toMatchObject({ PurgeDlq: 0 });
  });
});

describe('an operator whose service has ended', () => {
  const file = join(directory, 'operator.json');

  test('finds no file that names the port of the service', async () => {
    await service.stop();
    expect(existsSync(file)).toBe(false);
    const { code, stderr } = await runCommand(directory, 'users', 'list');
    expect([code, linesOf(stderr)]).toEqual([1, [expect.stringContaining('No service is running')]]);
  });

  test('sends nothing but a challenge to another program that has the port of a killed service', async () => {
    service = await start(directory);
    service.process.kill('SIGKILL');
    await service.exited;
    const { port } = new URL(operatorAccess(directory).operator.endpoint);
    const requests: string[] = [];
    const stranger = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      response.end('x'.repeat(43));
    });
    await once(stranger.listen(Number(port), '127.0.0.1'), 'listening');
    const input = JSON.stringify({
      auth_url: 'http://127.0.0.1',
      client_id: 'x',
      client_secret: 'y',
      refresh_token: 'z',
    });
    const { code, stderr } = await runCommandReading(input, directory, 'credentials', 'put', 'dogs');
    stranger.close();
    expect([code, linesOf(stderr)]).toEqual([1, [expect.stringContaining('is not the service that wrote')]]);
    expect(requests).toEqual([expect.stringMatching(/^GET \/proof\/[\w-]{43}$/)]);
    const { stderr: absent } = await runCommand(directory, 'users', 'list');
    expect(linesOf(absent)).toEqual([expect.stringContaining('does not respond')]);
  });
});
