import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Access, type Service, startService } from '../../tools/service.ts';
import { type Answer, Client, eventually, type Sent } from '../support/client.ts';
import { processesWith } from '../support/local-processes.ts';
import { type Journal, type Outage, outcomeOf } from './journal.ts';
import type { MemoryWatch } from './memory.ts';

/** How long a client waits for an answer, in milliseconds: longer than the service may take for one. */
const patience = 40_000;

/** How long a client goes on asking for what it must know, in milliseconds. */
export const persistence = 120_000;

/** How often the database is killed, and how long it is kept away each time, in milliseconds: longer than the SDK tries. */
const deaths = 3;
const away = 800;

const command = [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  '--require',
  join(import.meta.dirname, 'heaps.cjs'),
  'bin/start.ts',
] as const;

/** Starts the service, which tells what is in use of its heaps. */
function startWatched(directory: string): Promise<Service> {
  const environment = { HEAPS_FILE: heapsOf(directory) };
  return startService(directory, {
    settings: ['cancellationWindowSeconds=2'],
    command: [...command],
    environment,
  });
}

function heapsOf(directory: string): string {
  return join(directory, 'heaps');
}

export interface Request extends Sent {
  /** What the journal calls it. */
  readonly route: string;
  readonly method: string;
  readonly path: string;
  /** The statuses that are right; with any other below 500 the service has failed. */
  readonly expected: readonly number[];
}

/** The service under load, which is killed now and then: those who ask wait until it is there again. */
export class Target {
  readonly directory: string;
  /** Answers that were not right. */
  readonly surprises: string[] = [];
  /** A client of the service, as soon as it is there. What this is asked, the journal does not know. */
  client: Promise<Client>;
  private readonly journal: Journal;
  private readonly memory: MemoryWatch;
  private service: Service;
  private output = '';

  private constructor(directory: string, service: Service, journal: Journal, memory: MemoryWatch) {
    this.directory = directory;
    this.journal = journal;
    this.memory = memory;
    this.service = service;
    this.client = this.greet(service);
  }

  static async start(directory: string, journal: Journal, memory: MemoryWatch): Promise<Target> {
    return new Target(directory, await startWatched(directory), journal, memory);
  }

  get access(): Access {
    return this.service.access;
  }

  /** What it has printed, before it was killed and after. */
  get printed(): string {
    return this.output + this.service.output();
  }

  /** Sends a request, and notes how it ended. @returns undefined if there was no answer */
  async send({ route, method, path, expected, ...request }: Request): Promise<Answer | undefined> {
    const client = await this.client;
    const begun = performance.now();
    const signal = AbortSignal.timeout(patience);
    const answer = await client.sendOnce(method, path, { ...request, signal }).catch(() => undefined);
    const status = answer?.status;
    this.journal.entries.push({ route, status, begun, ended: performance.now() });
    if (answer && answer.status < 500 && !expected.includes(answer.status))
      this.surprises.push(`${method} ${path} was answered with ${answer.status}: ${answer.text}`);
    return answer;
  }

  /** Sends a request again and again until the answer says what became of it; all of these may be right. */
  async insist(request: Request): Promise<Answer> {
    const end = performance.now() + persistence;
    for (;;) {
      const answer = await this.send(request);
      if (answer && answer.status < 500) return answer;
      if (performance.now() > end) throw new Error(`${request.method} ${request.path} is not answered.`);
      await sleep(100);
    }
  }

  async killService(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<Client>();
    const outage = this.outage('the service');
    this.service.process.kill('SIGKILL');
    this.client = promise;
    await this.service.exited;
    this.output += this.service.output();
    this.service = await startWatched(this.directory);
    resolve(this.greet(this.service));
    outage.end();
  }

  /** Kills the database, which the service starts again, several times, and each time for so long that requests fail. */
  async killDatabase(): Promise<void> {
    const outage = this.outage('its database');
    for (let death = 1; death <= deaths; death++) {
      for (const end = performance.now() + away; performance.now() < end; await sleep(20))
        for (const pid of this.databases()) killIfThere(pid);
      await this.databaseAnswers();
    }
    outage.end();
    this.memory.watch('its database, after it was killed', this.database());
  }

  private async databaseAnswers(): Promise<void> {
    const client = await this.client;
    const ask = async () => {
      const { status } = await client.get('/v1/dogs/record-sync/');
      if (outcomeOf(status) !== 'acknowledged') throw new Error('The database did not come back.');
    };
    await eventually(ask, { deadline: persistence, interval: 10 });
  }

  /** Ends the service. @returns its exit code */
  stop(): Promise<number | null> {
    return this.service.stop();
  }

  private outage(what: string): { end: () => void } {
    const from = performance.now();
    // Until it has ended, all that comes after its beginning is part of it.
    const outage: { -readonly [Name in keyof Outage]: Outage[Name] } = {
      what,
      from,
      back: Number.POSITIVE_INFINITY,
    };
    this.journal.outages.push(outage);
    return {
      end: () => {
        outage.back = performance.now();
      },
    };
  }

  private async greet({ access, process: child }: Service): Promise<Client> {
    const times = this.journal.outages.length === 0 ? '' : ', after it was killed';
    this.memory.watch(`the service${times}`, child.pid ?? 0, heapsOf(this.directory));
    this.memory.watch(`its database${times && ', started with it'}`, this.database());
    return new Client(access);
  }

  private database(): number {
    const [pid, ...more] = this.databases();
    if (!pid || more.length > 0) throw new Error(`There is not one database on ${this.directory}.`);
    return pid;
  }

  private databases(): number[] {
    return processesWith(`--db-path ${join(this.directory, 'dynamodb.sqlite')}`);
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended since it was seen.
  }
}
