import { readFileSync, writeFileSync } from 'node:fs';
import { DataDirectory } from '../../platform/data-directory.ts';
import { keptPath, unguessablePath } from '../../platform/unguessable-path.ts';
import { useTestCloud } from '../support/emulators.ts';

test('unguessablePath returns another path of 256 random bits each time', () => {
  const paths = Array.from({ length: 100 }, unguessablePath);
  expect(new Set(paths).size).toBe(100);
  for (const path of paths) expect(Buffer.from(path.slice(1), 'base64url')).toHaveLength(32);
});

describe('keptPath', () => {
  const cloud = useTestCloud();
  let directory: DataDirectory;
  const open = () => {
    directory = cloud.use(new DataDirectory(cloud.directory));
  };
  beforeEach(open);

  test('returns the same path after a restart, and another one for another name', async () => {
    const [inbox, activities] = [keptPath(directory, 'inbox'), keptPath(directory, 'activities')];
    expect(inbox).not.toBe(activities);
    await cloud.stop();
    open();
    expect([keptPath(directory, 'inbox'), keptPath(directory, 'activities')]).toEqual([inbox, activities]);
  });

  test.each(['', '{"inbox":', 'null', '{"inbox":"/a"}', '{"inbox":7}'])(
    'replaces a path in the damaged file "%s"',
    (content) => {
      const file = directory.file('paths.json');
      writeFileSync(file, content);
      const kept = keptPath(directory, 'inbox');
      expect(cloud.logged).toEqual([`${file} is damaged. Pages such as the inbox may have new URLs.`]);
      expect(kept).toMatch(/^\/[\w-]{43}$/);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ inbox: kept });
    },
  );
});
