import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectory } from '../../../local/platform/data-directory.ts';
import { keptPath, unguessablePath } from '../../../local/platform/unguessable-path.ts';
import { temporaryDirectory } from '../../start/support.ts';

describe('unguessablePath', () => {
  test('returns another path of 256 random bits each time', () => {
    const paths = Array.from({ length: 100 }, unguessablePath);
    expect(new Set(paths).size).toBe(100);
    for (const path of paths) expect(Buffer.from(path.slice(1), 'base64url')).toHaveLength(32);
  });
});

describe('keptPath', () => {
  const path = temporaryDirectory();
  let directory: DataDirectory;
  beforeEach(() => {
    directory = new DataDirectory(path);
  });
  afterEach(() => directory.release());

  test('returns the same path after a restart, and another one for another name', () => {
    const [inbox, activities] = [keptPath(directory, 'inbox'), keptPath(directory, 'activities')];
    expect(inbox).not.toBe(activities);
    directory.release();
    directory = new DataDirectory(path);
    expect([keptPath(directory, 'inbox'), keptPath(directory, 'activities')]).toEqual([inbox, activities]);
  });

  test('stores the paths in a file that only its owner can read', () => {
    keptPath(directory, 'inbox');
    expect(statSync(join(path, 'paths.json')).mode & 0o777).toBe(0o600);
  });

  test.each(['', '{"inbox":', 'null', '[]', '{"inbox":"/a"}', '{"inbox":7}'])(
    'replaces a path in the damaged file "%s"',
    (content) => {
      writeFileSync(join(path, 'paths.json'), content);
      const logged = jest.spyOn(console, 'log').mockImplementation(() => {});
      const kept = keptPath(directory, 'inbox');
      expect(logged).toHaveBeenCalledWith(
        `${join(directory.path, 'paths.json')} is damaged. The inbox and other pages have new URLs.`,
      );
      expect(kept).toMatch(/^\/[\w-]{43}$/);
      expect(JSON.parse(readFileSync(join(path, 'paths.json'), 'utf8'))).toEqual({ inbox: kept });
    },
  );
});
