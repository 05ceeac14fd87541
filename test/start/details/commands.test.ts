import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { dogAt, eventually } from '../../support/client.ts';
import { operatorAccess } from '../operator-access.ts';
import {
  client,
  kill9,
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
  /** Runs the bin of the package as a user does, with an empty cache of npm, and without npm's own warnings. */
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

test('an operator sends nothing but a challenge to another program that has the port of a killed service', async () => {
  await kill9();
  const { port } = new URL(operatorAccess(directory).operator.endpoint);
  const requests: string[] = [];
  const stranger = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.end('x'.repeat(43));
  });
  await once(stranger.listen(Number(port), '127.0.0.1'), 'listening');
  const { code, stderr } = await runCommand(directory, 'users', 'list');
  stranger.close();
  expect([code, linesOf(stderr)]).toEqual([1, [expect.stringContaining('is not the service that wrote')]]);
  expect(requests).toEqual([expect.stringMatching(/^GET \/proof\/[\w-]{43}$/)]);
  const { stderr: absent } = await runCommand(directory, 'users', 'list');
  expect(linesOf(absent)).toEqual([expect.stringContaining('does not respond')]);
});

test('a service that has ended leaves no file that names its port', async () => {
  const file = join(directory, 'operator.json');
  await restart(directory);
  expect(existsSync(file)).toBe(true);
  await service.stop();
  expect(existsSync(file)).toBe(false);
});
