import { setTimeout as sleep } from 'node:timers/promises';
import { shortestFrequency } from '../../lambdas/contract/bark-schedule.ts';
import { dogAt } from '../../test/support/client.ts';
import type { Table } from '../../tools/table.ts';
import { Account } from './account.ts';
import { act } from './clients.ts';
import { type Dogs, newDogs } from './dogs.ts';
import { Journal } from './journal.ts';
import { settle } from './settle.ts';
import { crashesIn } from './stored.ts';
import { Target } from './target.ts';

/** The times at which the service and its database are killed, as fractions of the duration. */
const serviceKillShare = 0.25;
const databaseKillShare = 0.5;

/** The output with which the service reports unhandled errors and events that failed in all attempts. */
const uncaught =
  /The gateway failed|Unhandled|Uncaught|An event for .* failed|in all attempts|not (?:be )?delivered/;

export interface Result {
  readonly tables: readonly Table[];
  readonly faults: readonly string[];
  readonly killed: readonly string[];
}

/** Puts a service under load, kills it and its database meanwhile, and compares the service's responses with its data. */
export async function runLoad(directory: string, milliseconds: number): Promise<Result> {
  const journal = new Journal();
  const target = await Target.start(directory, journal);
  try {
    const dogs = newDogs();
    await createDogs(target, dogs);
    await loadAndKill(target, dogs, milliseconds);
    const account = await Account.of(target, dogs, await settle(target, dogs));
    return resultOf(account, journal, await unhandledIn(target, journal));
  } finally {
    await target.stop();
  }
}

/** Runs the clients and kills the service and its database. The duration does not include the restart. */
async function loadAndKill(target: Target, dogs: Dogs, milliseconds: number): Promise<void> {
  const ended = new AbortController();
  const kill = async () => {
    await sleep(serviceKillShare * milliseconds);
    await target.killService();
    await sleep((databaseKillShare - serviceKillShare) * milliseconds);
    await target.killDatabase();
    await sleep((1 - databaseKillShare) * milliseconds);
  };
  // If the clients or the kills fail, the others must end before the service stops.
  const [acted, killed] = await Promise.allSettled([
    act({ target, dogs }, ended.signal),
    kill().finally(() => ended.abort()),
  ]);
  for (const one of [acted, killed]) if (one.status === 'rejected') throw one.reason;
}

/** Stops the service. Returns the failures that no kill caused, and the wrong responses. */
async function unhandledIn(target: Target, journal: Journal): Promise<string[]> {
  // Stopping the service cuts off invocations in progress.
  const crashes = crashesIn(target.directory);
  const exitCode = await target.stop();
  return [
    ...journal.unhandled(),
    ...target.surprises,
    ...crashes,
    ...target.printed.split('\n').filter((line) => uncaught.test(line)),
    ...(exitCode === 0 ? [] : [`The service ended with exit code ${exitCode}.`]),
  ];
}

function resultOf(account: Account, journal: Journal, unhandled: readonly string[]): Result {
  return {
    tables: [
      journal.routes(),
      journal.kills(),
      account.table(),
      {
        title: 'All requests',
        columns: ['requests', 'a second', 'unhandled'],
        rows: [[journal.entries.length, journal.rate(), unhandled.length]],
      },
    ],
    faults: [...account.faults, ...unhandled],
    killed: journal.outages.map(({ what }) => what),
  };
}

async function createDogs(target: Target, { barking, steady, restless }: Dogs): Promise<void> {
  const client = await target.client;
  for (const { path, settings } of [...barking, ...steady, ...restless]) await client.put(path, settings);
  const now = Math.floor(Date.now() / 1000);
  for (const [n, dog] of steady.entries()) {
    // The first dog barks immediately. The occurrences of the other dogs are spread over the minute.
    const next = n === 0 ? 0 : now + n * 5;
    await client.post(`${dog.path}bark-schedule`, { token: 1, next, frequency: shortestFrequency });
    dog.start = next || ((await dogAt(client, dog.path)).barks?.previous[0] ?? 0);
  }
  for (const dog of restless) {
    await client.post(`${dog.path}bark-schedule`, { token: 0, next: 0 });
    dog.schedules += 1;
  }
}
