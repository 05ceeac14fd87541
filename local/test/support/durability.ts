import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestCloud } from './emulators.ts';

interface NamedStore {
  /** Returns the response to the call that writes a name. */
  readonly write: (name: string) => unknown;
  /** Returns true if the write of the name is complete. */
  readonly has: (name: string) => boolean | Promise<boolean>;
}

type Open = () => NamedStore | Promise<NamedStore>;

export const namesToStore = ['one', 'two', ...Array.from({ length: 10 }, (_, i) => `try-${i}`)];

async function namesIn({ has }: NamedStore): Promise<string[]> {
  const found = await Promise.all(namesToStore.map(has));
  return namesToStore.filter((_, i) => found[i]);
}

export function testKill(cloud: TestCloud, open: Open): void {
  test('The data is on disk before the response, and survives a kill', async () => {
    const { write } = await open();
    await write('one');
    await write('two');
    const names = readdirSync(cloud.directory);
    // A kill leaves the files as they are now. The next start creates the shared memory of SQLite again.
    const killed = mkdtempSync(`${cloud.directory}-killed-`);
    for (const name of names.filter((one) => !one.endsWith('-shm')))
      copyFileSync(cloud.file(name), join(killed, name));
    await cloud.stop();
    cloud.directory = killed;
    expect(await namesIn(await open())).toEqual(['one', 'two']);
  });
}

export function testDurability(cloud: TestCloud, open: Open): void {
  testKill(cloud, open);
  test('A call writes all or nothing while the disk is full, and succeeds when there is space', async () => {
    const store = await open();
    await store.write('one');
    const disk = cloud.disk();
    let refusals = 0;
    for (; ; refusals++) {
      disk.writesLeft = refusals;
      const response = await store.write(`try-${refusals}`);
      disk.isFull = false;
      const { refused, message } = response as { refused?: string; message?: string };
      if (!refused) break;
      expect(message).toBe('database or disk is full');
      expect(await namesIn(store)).toEqual(['one']);
    }
    expect(refusals).toBeGreaterThan(0);
    expect(cloud.logged).toContainEqual(
      expect.stringMatching(
        /^\w+ cannot store data: database or disk is full\. Free some space on the disk of DATA_DIR\.$/,
      ),
    );
    expect(await namesIn(store)).toEqual(['one', `try-${refusals}`]);
  });
}
