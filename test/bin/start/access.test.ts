import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAccess } from '../../../bin/start/access.ts';
import { OperatorCli } from '../../../bin/start/operator-cli.ts';
import { DataDirectory } from '../../../local/platform/data-directory.ts';
import { UserError } from '../../../local/platform/user-error.ts';

describe('writeAccess', () => {
  test('names the URL of the clock only while the service has one', async () => {
    const directory = new DataDirectory(mkdtempSync(join(tmpdir(), 'access-')));
    directory.write('access.json', { username: 'dog-lover', password: 'secret' });
    const base_url = 'http://127.0.0.1:1';
    const clock_url = 'http://127.0.0.1:2/clock';
    expect(
      await writeAccess(directory, new OperatorCli(directory.path), undefined, { base_url, clock_url }),
    ).toMatchObject({ clock_url });
    expect(await writeAccess(directory, new OperatorCli(directory.path), undefined, { base_url })).toEqual({
      base_url,
      username: 'dog-lover',
      password: 'secret',
    });
    directory.release();
    rmSync(directory.path, { recursive: true });
  });

  test.each(['', '{"username": "dog-', 'null', '[]', '{"username": "dog-lover"}', '{"password": 1}'])(
    'refuses an access.json that contains %j, and states what to do',
    async (content) => {
      const directory = new DataDirectory(mkdtempSync(join(tmpdir(), 'access-')));
      const file = directory.file('access.json');
      writeFileSync(file, content);
      const refused = writeAccess(directory, new OperatorCli(directory.path), undefined, {
        base_url: 'http://127.0.0.1:1',
      });
      await expect(refused).rejects.toThrow(UserError);
      await expect(refused).rejects.toThrow(
        `${file} does not contain a username and a password as JSON. Restore the file from a copy, or delete it. If you delete it, the next start creates a new password.`,
      );
      directory.release();
      rmSync(directory.path, { recursive: true });
    },
  );
});
