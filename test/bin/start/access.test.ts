import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAccess } from '../../../bin/start/access.ts';
import { DataDirectory } from '../../../local/platform/data-directory.ts';
import { UserError } from '../../../local/platform/user-error.ts';

describe('writeAccess', () => {
  test.each(['', '{"username": "dog-', 'null', '[]', '{"username": "dog-lover"}', '{"password": 1}'])(
    'refuses an access.json that contains %j, and states what to do',
    async (content) => {
      const directory = new DataDirectory(mkdtempSync(join(tmpdir(), 'access-')));
      const file = directory.file('access.json');
      writeFileSync(file, content);
      const refused = writeAccess(directory, undefined, { base_url: 'http://127.0.0.1:1' });
      await expect(refused).rejects.toThrow(UserError);
      await expect(refused).rejects.toThrow(
        `${file} does not contain a username and a password as JSON. Restore the file from a copy, or delete it. If you delete it, the next start creates a new password.`,
      );
      directory.release();
      rmSync(directory.path, { recursive: true });
    },
  );
});
