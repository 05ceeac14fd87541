import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, processesWith } from '@rest-actions/local-cloud/testing';
import { type ApiResponse, Client, type Sent } from '../../test/support/client.ts';
import { type Access, type Service, startService } from '../../tools/service.ts';
import { type Journal, type Outage, outcomeOf } from './journal.ts';

/** How long a client waits for a response. This is longer than the service may take. */
const responseTimeoutMs = 40_000;

/** How long a client repeats a request until it knows the outcome. */
export const retryTimeoutMs = 120_000;

const databaseKills = 3;
/** How long the database stays down each time. This is longer than the SDK retries. */
const downtimeMs = 800;

function start(directory: string): Promise<Service> {
  return startService(directory, {
    // All clients share one user, and its dogs send more mail than the default limits allow.
    settings: ['cancellationWindowSeconds=2', 'mailsPerDog=100000', 'mailsPerUser=0'],
  });
}

export interface Request extends Sent {
  readonly route: string;
  readonly method: string;
  readonly path: string;
  /** The correct statuses. Any other status below 500 is a defect. */
  readonly expected: readonly number[];
}

/** The service under load. When it is killed, clients wait until it runs again. */
export class Target {
  readonly directory: string;
  readonly surprises: string[] = [];
  /** A client of the service, while the service is running. The journal does not record the client's requests. */
  client: Promise<Client>;
  private readonly journal: Journal;
  private service: Service;
  private output = '';

  private constructor(directory: string, service: Service, journal: Journal) {
    this.directory = directory;
    this.journal = journal;
    this.service = service;
    this.client = Promise.resolve(new Client(service.access));
  }

  static async start(directory: string, journal: Journal): Promise<Target> {
    return new Target(directory, await start(directory), journal);
  }

  get access(): Access {
    return this.service.access;
  }

  /** The output of the service, from before and after the kill. */
  get printed(): string {
    return this.output + this.service.output();
  }

  /** Sends a request, and records its outcome in the journal. Returns undefined if there was no response. */
  async send({ route, method, path, expected, ...request }: Request): Promise<ApiResponse | undefined> {
    const client = await this.client;
    const begun = performance.now();
    const signal = AbortSignal.timeout(responseTimeoutMs);
    const response = await client.sendOnce(method, path, { ...request, signal }).catch(() => undefined);
    const status = response?.status;
    this.journal.entries.push({ route, status, begun, ended: performance.now() });
    if (response && response.status < 500 && !expected.includes(response.status))
      this.surprises.push(`${method} ${path} returned ${response.status}: ${response.text}`);
    return response;
  }

  /** Repeats a request until a response shows its outcome. @throws Error if that takes too long */
  async insist(request: Request): Promise<ApiResponse> {
    const end = performance.now() + retryTimeoutMs;
    for (;;) {
      const response = await this.send(request);
      if (response && response.status < 500) return response;
      if (performance.now() > end) throw new Error(`${request.method} ${request.path} got no response.`);
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
    this.service = await start(this.directory);
    resolve(new Client(this.service.access));
    outage.end();
  }

  /** Kills the database several times, each time for so long that requests fail. The service then restarts the database. */
  async killDatabase(): Promise<void> {
    const outage = this.outage('its database');
    for (let kill = 1; kill <= databaseKills; kill++) {
      for (const end = performance.now() + downtimeMs; performance.now() < end; await sleep(20))
        for (const pid of this.databases()) killIfThere(pid);
      await this.databaseResponds();
    }
    outage.end();
  }

  private async databaseResponds(): Promise<void> {
    const client = await this.client;
    const check = async () => {
      const { status } = await client.get('/v1/dogs/record-sync/');
      if (outcomeOf(status) !== 'acknowledged') throw new Error('The database did not restart.');
    };
    await eventually(check, { deadline: retryTimeoutMs, interval: 10 });
  }

  stop(): Promise<number | null> {
    return this.service.stop();
  }

  private outage(what: string): { end: () => void } {
    const from = performance.now();
    // Until the outage has ended, it includes all requests after its beginning.
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

  private databases(): number[] {
    return processesWith(`--db-path ${join(this.directory, 'dynamodb.sqlite')}`);
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended in the meantime.
  }
}
