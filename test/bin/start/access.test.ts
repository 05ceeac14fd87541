import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAccess } from '../../../bin/start/access.ts';
import { OperatorCli } from '../../../bin/start/operator-cli.ts';
import { DataDirectory } from '../../../local/platform/data-directory.ts';
import { UserError } from '../../../local/platform/user-error.ts';

describe('writeAccess', () => {
  const base_url = 'http://127.0.0.1:1';
  let directory: DataDirectory;

  beforeEach(() => {
    directory = new DataDirectory(mkdtempSync(join(tmpdir(), 'access-')));
  });
  afterEach(() => {
    directory.release();
    rmSync(directory.path, { recursive: true });
  });

  const write = (urls: { base_url: string; clock_url?: string }) =>
    writeAccess(directory, new OperatorCli(directory.path), undefined, urls);

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
