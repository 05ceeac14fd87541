import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { eventually } from '@rest-actions/local-cloud/testing';
import { dogAt } from '../../support/client.ts';
import {
  client,
  linesOf,
  restart,
  run,
  runCommand,
  service,
  temporaryDirectory,
  useService,
} from '../support.ts';

const directory = useService();

describe('npx dogs', () => {
  /** Runs the bin of the package as a user does, with an empty npm cache, and without npm's own warnings. */
  const npx = (...parameters: string[]) =>
    run('npx', ['--offline', 'dogs', ...parameters], {
      DATA_DIR: directory,
      npm_config_cache: temporaryDirectory(),
      npm_config_loglevel: 'error',
    });

  test('prints only the result to standard output', async () => {
    const { code, stdout } = await npx('users', 'get', 'dog-lover', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, { username: 'dog-lover', created: expect.any(Number) }]);
  });

  test('has the exit code of the command, and prints no stack trace', async () => {
    const { code, stdout, stderr } = await npx('users', 'get', 'absent');
    expect([code, stdout, linesOf(stderr)]).toEqual([1, '', ['There is no user "absent".']]);
  });

  test('makes a dog bark as the first user', async () => {
    expect((await npx('create', 'loud', '--bark-effects', 'count')).code).toBe(0);
    const { code, stdout } = await npx('bark', 'loud', '--async', '--wait', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: 'complete' }]);
  });

  test('creates no user if the password would be lost in a pipe', async () => {
    expect(await npx('users', 'create', 'lost')).toMatchObject({ code: 2, stdout: '' });
    expect((await npx('users', 'get', 'lost')).code).toBe(1);
  });
});

test('an occurrence that was missed for too long is in a dead-letter queue, and can be redriven', async () => {
  await client.put('/v1/dogs/late/', {});
  const next = Math.floor(Date.now() / 1000) + 60;
  const set = await client.post('/v1/dogs/late/bark-schedule', { token: 1, next, frequency: null });
  expect(set.status).toBe(205);
  await service.stop();
  // The schedule was due two hours ago, so the scheduler no longer delivers it.
  const store = new DatabaseSync(join(directory, 'schedules.sqlite'));
  store.prepare("UPDATE schedules SET due = due - 7200000 WHERE name LIKE 'late.%'").run();
  store.close();
  await restart(directory);
  await service.says(/The queue ScheduleDlq has a new message: npx dogs queues get ScheduleDlq\n/);
  const { stdout } = await runCommand(directory, 'queues', 'get', 'ScheduleDlq', '--json');
  expect(JSON.parse(stdout)).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sent: expect.stringMatching(/Z$/),
      reason: expect.stringContaining('EventAgeExceeded: '),
      event: expect.objectContaining({ version: 1, dog: 'late', firstScheduledAt: next }),
    },
  ]);
  expect((await dogAt(client, '/v1/dogs/late/')).barkCount).toBe(0);
  expect((await runCommand(directory, 'queues', 'redrive', 'ScheduleDlq')).code).toBe(0);
  await eventually(async () => {
    const { barkCount, barks } = await dogAt(client, '/v1/dogs/late/');
    expect({ barkCount, previous: barks?.previous }).toEqual({ barkCount: 1, previous: [next] });
  });
});

test('a service that has ended leaves no file that names its port', async () => {
  const file = join(directory, 'operator.json');
  expect(existsSync(file)).toBe(true);
  await service.stop();
  expect(existsSync(file)).toBe(false);
  const { code, stderr } = await runCommand(directory, 'users', 'list');
  expect([code, linesOf(stderr)]).toEqual([1, [expect.stringContaining('No service is running')]]);
});
