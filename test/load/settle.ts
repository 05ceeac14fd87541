import { setTimeout as sleep } from 'node:timers/promises';
import { itemsOf } from '../start/tables.ts';
import { type Bark, type Client, documentOf, dogAt, eventually } from '../support/client.ts';
import type { Ask, Dogs } from './dogs.ts';
import { storedOf } from './stored.ts';
import type { Target } from './target.ts';

/** How long what was accepted may take to come to its end, in milliseconds: a mail in doubt takes a minute. */
const patience = 180_000;

/** How many barks are looked at at once. */
const lanes = 8;

/**
 * Waits until all that was accepted has come to its end, one or another, and ends the schedules: nothing moves any more.
 * What is missing after a while, the account will tell.
 *
 * @returns until when slots are to have barked, in Unix seconds
 */
export async function settle(target: Target, { barking, steady, gone }: Dogs): Promise<number> {
  const client = await target.client;
  const accepted = barking.flatMap((dog) =>
    dog.asks.filter(({ bark, later }) => later && bark !== undefined).map((ask) => ({ dog, ask })),
  );
  await inLanes(accepted, async ({ dog, ask }) => {
    ask.end = await endOf(client, `${dog.path}barks/${ask.bark}`);
  });
  // Those whose acceptance nobody heard of are among the ones that make a dog bark still.
  await Promise.all(barking.map(({ path }) => until(async () => !(await dogAt(client, path)).barking)));
  const due = Date.now() / 1000;
  for (const dog of steady)
    await until(async () => {
      const times = (await storedOf(target, dog)).notes.map(({ timestamp }) => timestamp);
      return dog.slots(due).every((slot) => times.includes(slot));
    });
  for (const { path } of steady) await client.delete(`${path}bark-schedule`);
  // The mail of a slot goes out when it has been noted.
  await sleep(1_000);
  for (const id of new Set(gone.map((dog) => dog.id)))
    await until(async () => (await itemsOf(target.directory, id)).length === 0);
  return due;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const ask = async () => {
    if (!(await isSo())) throw new Error('It is not so yet.');
  };
  await eventually(ask, { deadline: patience, interval: 250 }).catch(() => {});
}

async function endOf(client: Client, path: string): Promise<NonNullable<Ask['end']>> {
  const deadline = performance.now() + patience;
  for (;;) {
    const answer = await client.get(path);
    if (answer.status === 404) return { status: 'lost' };
    const { status, reason } = documentOf<Bark & { reason?: string }>(answer);
    if (status !== 'pending' || performance.now() > deadline) return { status, ...(reason && { reason }) };
    await sleep(250);
  }
}

async function inLanes<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items.values();
  const lane = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
