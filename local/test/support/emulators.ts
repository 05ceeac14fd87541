import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Emulator } from '../../endpoint/emulator.ts';
import { type Activity, onActivity } from '../../platform/activity.ts';
import type { Template } from '../../template/template.ts';
import { FullDisk } from './full-disk.ts';
import { serve } from './local-aws.ts';
import { ManualClock } from './manual-clock.ts';
import { deadLetterMessagesIn, openQueues } from './queues.ts';

interface Part {
  stop?(): unknown;
  close?(): unknown;
  destroy?(): unknown;
  release?(): unknown;
}

/** The data of one test: its folder, its clock, and the parts of the local cloud that it has opened. */
export class TestCloud {
  directory = '';
  clock = new ManualClock();
  readonly logged: string[] = [];
  private readonly endings: (() => unknown)[] = [];

  file(name: string): string {
    return join(this.directory, name);
  }

  /** Ends the part, last opened first, at `stop` or after the test. */
  use<Opened extends Part>(part: Opened): Opened {
    this.endings.push(() => (part.stop ?? part.close ?? part.destroy ?? part.release)?.call(part));
    return part;
  }

  /** Ends all parts. Those that are opened afterwards on the same files show what survives a restart. */
  async stop(): Promise<void> {
    for (const end of this.endings.splice(0).reverse()) await end();
  }

  /** Returns an SDK client that calls an emulator at an endpoint, without retries. */
  async client<Client extends Part, More extends object>(
    Client: new (configuration: Awaited<ReturnType<typeof serve>>['configuration'] & More) => Client,
    service: string,
    emulator: Emulator,
    more = {} as More,
  ): Promise<Client> {
    const { endpoint, configuration } = await serve(service, emulator);
    this.use(endpoint);
    return this.use(new Client({ ...configuration, ...more }));
  }

  queues(template: Template): ReturnType<typeof openQueues> {
    const opened = openQueues(template, this.directory, this.clock);
    this.use(opened.queues);
    return opened;
  }

  messagesIn(queueArn: string): ReturnType<typeof deadLetterMessagesIn> {
    return deadLetterMessagesIn(this.directory, queueArn);
  }

  /** Simulates a disk that can become full, for all SQLite files until `stop` or the end of the test. */
  disk(): FullDisk {
    return this.use(new FullDisk());
  }

  /** Returns a list to which all later activities are added. */
  activities(): Activity[] {
    const seen: Activity[] = [];
    this.use({ stop: onActivity((activity) => seen.push(activity)) });
    return seen;
  }
}

/** Gives each test of a file a cloud with a new folder and a clock that only the test moves. */
export function useTestCloud(start?: number | string): TestCloud {
  const cloud = new TestCloud();
  const root = mkdtempSync(join(tmpdir(), 'cloud-'));
  beforeEach(() => {
    cloud.directory = mkdtempSync(join(root, 'data-'));
    cloud.clock = new ManualClock(start);
    cloud.logged.length = 0;
    jest.spyOn(console, 'log').mockImplementation((line) => void cloud.logged.push(String(line)));
  });
  afterEach(async () => {
    // The queues print new messages one turn of the event loop later.
    await turn();
    await cloud.stop();
  });
  afterAll(() => rmSync(root, { recursive: true }));
  return cloud;
}
