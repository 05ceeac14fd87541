import type { Activity } from '../../platform/activity.ts';
import { quietMs, Reloader } from '../../reload/reloader.ts';
import { useTestCloud } from '../support/emulators.ts';

/** A build whose end the test controls. */
interface Build {
  readonly succeed: (...changed: string[]) => void;
  readonly fail: (message: string) => void;
}

const cloud = useTestCloud();
let builds: Build[];
let holds: Promise<void>[];
let activities: Activity[];
let reloader: Reloader;

beforeEach(() => {
  builds = [];
  holds = [];
  activities = cloud.activities();
  reloader = new Reloader({
    reload: () =>
      new Promise((resolve, reject) => {
        builds.push({
          succeed: (...changed) => resolve(changed),
          fail: (message) => reject(new Error(message)),
        });
      }),
    onStart: (done) => holds.push(done),
    clock: cloud.clock,
  });
});

function build(index: number): Build {
  const found = builds[index];
  if (!found) throw new Error(`There are only ${builds.length} builds.`);
  return found;
}

/** Reports a changed file, and waits until its reload starts. */
async function change(): Promise<void> {
  reloader.fileChanged();
  await cloud.clock.advance(quietMs);
}

describe('Reloader', () => {
  test('reloads once for changes that follow each other quickly', async () => {
    reloader.fileChanged();
    await cloud.clock.advance(quietMs - 1);
    reloader.fileChanged();
    await cloud.clock.advance(quietMs - 1);
    expect(builds).toHaveLength(0);
    await cloud.clock.advance(quietMs + 1);
    expect(builds).toHaveLength(1);
  });

  test('reloads once more after changes during a reload', async () => {
    await change();
    reloader.fileChanged();
    await change();
    expect(builds).toHaveLength(1);
    build(0).succeed('GetDog');
    await cloud.clock.advance(quietMs);
    expect(builds).toHaveLength(2);
    build(1).succeed('PutDog');
    await holds[0];
    await cloud.clock.advance(1_000);
    expect(builds).toHaveLength(2);
  });

  test('reports the same error again after another change', async () => {
    for (const index of [0, 1]) {
      await change();
      build(index).fail('the same error');
      await holds[index];
    }
    expect(activities).toHaveLength(2);
  });

  test('reports nothing after it is stopped, and waits for the reload in progress', async () => {
    await change();
    const stopped = reloader.stop();
    build(0).fail('The app ended without a result.');
    await stopped;
    await change();
    expect(builds).toHaveLength(1);
    expect(activities).toEqual([]);
  });

  test('does not reload if it is stopped before the reload starts', async () => {
    reloader.fileChanged();
    const stopped = reloader.stop();
    await cloud.clock.advance(quietMs);
    await stopped;
    expect(builds).toHaveLength(0);
  });

  test('delays requests from the first change to the end of the last reload', async () => {
    let isDone = false;
    reloader.fileChanged();
    void holds[0]?.then(() => {
      isDone = true;
    });
    await cloud.clock.advance(quietMs);
    reloader.fileChanged();
    build(0).succeed();
    await cloud.clock.advance(quietMs);
    expect(isDone).toBe(false);
    build(1).succeed();
    await cloud.clock.advance(0);
    expect(isDone).toBe(true);
    expect(holds).toHaveLength(1);
  });
});
