import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirectory } from '@rest-actions/local-cloud';
import { UserError } from '@rest-actions/local-cloud/platform';
import { writeAccess } from '../../../bin/start/access.ts';
import { OperatorCli } from '../../../bin/start/operator-cli.ts';

const directory = new DataDirectory(mkdtempSync(join(tmpdir(), 'access-')));
const operator = new OperatorCli(directory.path);

afterAll(async () => {
  await operator.stop();
  directory.release();
  rmSync(directory.path, { recursive: true });
});

describe('OperatorCli', () => {
  test('rejects with the error of a command that fails', async () => {
    const file = directory.file('operator.json');
    await expect(operator.run(['keys', 'list'])).rejects.toThrow(
      `The operator CLI failed: No service is running on this machine: ${file} cannot be read.`,
    );
  });

  test('does not act on the stack that the environment names', async () => {
    process.env.DOGS_STACK = 'DogService-prod';
    const other = new OperatorCli(directory.path);
    await expect(other.run(['keys', 'list'])).rejects.toThrow('No service is running on this machine');
    await other.stop();
  });

  test('runs another command after one that failed', async () => {
    await expect(operator.run(['keys', 'unknown'])).rejects.toThrow("Unknown command 'unknown'");
  });
});

describe('writeAccess', () => {
  const base_url = 'http://127.0.0.1:1';
  const write = (urls: { base_url: string; clock_url?: string }) =>
    writeAccess(directory, operator, undefined, urls);

  test('names the URL of the clock only while the service has one', async () => {
    const user = { username: 'dog-lover', password: 'secret' };
    directory.write('access.json', user);
    const clock_url = 'http://127.0.0.1:2/clock';
    expect(await write({ base_url, clock_url })).toMatchObject({ clock_url });
    expect(await write({ base_url })).toEqual({ base_url, ...user });
  });

  test.each(['', '{"username": "dog-', 'null', '[]', '{"username": "dog-lover"}', '{"password": 1}'])(
    'refuses an access.json that contains %j, and states what to do',
    async (content) => {
      const file = directory.file('access.json');
      writeFileSync(file, content);
      await expect(write({ base_url })).rejects.toThrow(
        new UserError(
          `${file} does not contain a username and a password as JSON. Restore it from a backup. If you delete it, the next start creates a new password.`,
        ),
      );
    },
  );
});
