import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@rest-actions/local-cloud/testing';
import { itemsOf } from '../../test/start/tables.ts';
import { dogAt } from '../../test/support/client.ts';
import type { Dogs } from './dogs.ts';
import { storedOf } from './stored.ts';
import type { Target } from './target.ts';

/** How long accepted barks can take to end. If the result of an email is unknown, this takes a minute. */
const settleTimeoutMs = 180_000;

/**
 * Ends the schedules, and waits until the data is final. After a timeout, the account reports what is missing.
 *
 * @returns the time up to which occurrences must have made dogs bark, in Unix seconds
 */
export async function settle(target: Target, { barking, steady, gone }: Dogs): Promise<number> {
  const client = await target.client;
  await Promise.all(barking.map(({ path }) => until(async () => !(await dogAt(client, path)).barking)));
  const due = Date.now() / 1000;
  for (const dog of steady)
    await until(async () => {
      const times = (await storedOf(target, dog)).history.map(({ timestamp }) => timestamp);
      return dog.occurrences(due).every((scheduledAt) => times.includes(scheduledAt));
    });
  for (const { path } of steady) await client.delete(`${path}bark-schedule`);
  // The mail of an occurrence is sent after its history entry is stored.
  await sleep(1_000);
  for (const id of new Set(gone.map((dog) => dog.id)))
    await until(async () => (await itemsOf(target.directory, id)).length === 0);
  return due;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const check = async () => {
    if (!(await isSo())) throw new Error('The condition is not met yet.');
  };
  await eventually(check, { deadline: settleTimeoutMs, interval: 250 }).catch(() => {});
}
