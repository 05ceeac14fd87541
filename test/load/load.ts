import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '../../tools/table.ts';
import { dogAt } from '../support/client.ts';
import { Account } from './account.ts';
import { act } from './clients.ts';
import { type Dogs, newDogs } from './dogs.ts';
import { Journal } from './journal.ts';
import { crashesIn } from './logs.ts';
import { MemoryWatch } from './memory.ts';
import { settle } from './settle.ts';
import { Target } from './target.ts';

/** When the service and its database are killed, as shares of the time. */
const serviceDies = 0.25;
const databaseDies = 0.5;

/** What the service prints when something went wrong that nobody has handled. */
const uncaught = /The gateway failed|Unhandled|Uncaught|was given up/;

export interface Result {
  readonly tables: readonly Table[];
  /** All that is not as it should be, in words. */
  readonly faults: readonly string[];
  /** What was killed. */
  readonly killed: readonly string[];
}

/** Puts a service of its own under load, kills it and its database meanwhile, and compares what it said with what it did. */
export async function runLoad(directory: string, milliseconds: number): Promise<Result> {
  const journal = new Journal();
  const memory = new MemoryWatch();
  const target = await Target.start(directory, journal, memory);
  try {
    const dogs = newDogs();
    await makeDogs(target, dogs);
    await loadAndKill(target, dogs, milliseconds);
    memory.stop();
    const account = await Account.of(target, dogs, await settle(target, dogs));
    return resultOf(account, journal, memory, await unhandledIn(target, journal));
  } finally {
    memory.stop();
    await target.stop();
  }
}

/** Lets clients do what they like for a time, and kills what they ask; the time that a start takes is not part of it. */
async function loadAndKill(target: Target, dogs: Dogs, milliseconds: number): Promise<void> {
  const ended = new AbortController();
  const kill = async () => {
    await sleep(serviceDies * milliseconds);
    await target.killService();
    await sleep((databaseDies - serviceDies) * milliseconds);
    await target.killDatabase();
    await sleep((1 - databaseDies) * milliseconds);
  };
  // Whatever fails, nothing may go on behind the back of who ends the service.
  const [acted, killed] = await Promise.allSettled([
    act({ target, dogs }, ended.signal),
    kill().finally(() => ended.abort()),
  ]);
  for (const one of [acted, killed]) if (one.status === 'rejected') throw one.reason;
}

/** What went wrong otherwise than by a kill, or was answered wrongly; ends the service. */
async function unhandledIn(target: Target, journal: Journal): Promise<string[]> {
  // What is under way when the service ends is cut off.
  const crashes = crashesIn(target.directory);
  const exitCode = await target.stop();
  return [
    ...journal.unhandled(),
    ...target.surprises,
    ...crashes,
    ...target.printed.split('\n').filter((line) => uncaught.test(line)),
    ...(exitCode === 0 ? [] : [`The service ended with ${exitCode}.`]),
  ];
}

function resultOf(
  account: Account,
  journal: Journal,
  memory: MemoryWatch,
  unhandled: readonly string[],
): Result {
  const { lost, doubled } = account.totals();
  return {
    tables: [
      journal.routes(),
      journal.kills(),
      ...account.tables(),
      memory.table(),
      {
        title: 'Counts and records',
        columns: ['requests', 'a second', 'lost', 'doubled', 'unhandled'],
        rows: [[journal.entries.length, journal.rate(), lost, doubled, unhandled.length]],
      },
    ],
    faults: [
      ...account.faults,
      ...unhandled,
      ...memory.growing().map((name) => `What ${name} takes or has open grows.`),
    ],
    killed: journal.outages.map(({ what }) => what),
  };
}

async function makeDogs(target: Target, { barking, steady, restless }: Dogs): Promise<void> {
  const client = await target.client;
  for (const { path, settings } of [...barking, ...steady, ...restless]) await client.put(path, settings);
  const now = Math.floor(Date.now() / 1000);
  for (const [n, dog] of steady.entries()) {
    // The first barks at once; the slots of the others are spread over the minute.
    const next = n === 0 ? 0 : now + n * 5;
    await client.post(`${dog.path}bark-schedule`, { token: 1, next, frequency: 1 });
    dog.start = next || ((await dogAt(client, dog.path)).barks?.previous[0] ?? 0);
  }
  for (const dog of restless) {
    await client.post(`${dog.path}bark-schedule`, { token: 0, next: 0 });
    dog.applied += 1;
  }
}
