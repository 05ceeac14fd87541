import { hash } from 'node:crypto';
import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { decodeTime } from 'ulid';
import { sortKey } from '../../lambdas/domain/barks/keys.ts';
import { deleteDog } from '../../lambdas/domain/dogs/delete.ts';
import type { Dog, DogSettings, Effect } from '../../lambdas/domain/dogs/dog.ts';
import { putDog } from '../../lambdas/domain/dogs/put.ts';
import { readDog } from '../../lambdas/domain/dogs/read.ts';
import { database } from '../../lambdas/domain/platform/dynamodb.ts';
import { ulidOf } from '../../lambdas/domain/platform/ulid.ts';
import { subscriptionTokenOf } from '../../lambdas/domain/suspensions/subscription.ts';
import { fullList } from '../../lambdas/domain/suspensions/suspension.ts';
import { settings as exampleSettings } from '../../openapi/examples.ts';
import { newContext } from './context.ts';

let dogs = 0;

/** Returns the token in the unsubscribe link of a dog's email. */
export function linkTokenOf({ mailKey = '' }: Pick<Dog, 'mailKey'>, recipients: readonly string[]): string {
  return subscriptionTokenOf(mailKey, recipients);
}

/** Removes a dog's mail key, so that the dog looks as if version 1.0.0 had written it. */
export async function removeMailKey(id: string): Promise<void> {
  const dog = { TableName: process.env.DOGS_TABLE, Key: { id } };
  await database.send(new UpdateCommand({ ...dog, UpdateExpression: 'REMOVE mailKey' }));
}

export function newDogId(): string {
  return `dog-${dogs++}`;
}

/** Returns the settings of a dog with synchronous handling and without addresses. */
export function settingsOf(...barkEffects: Effect[]): DogSettings {
  return { email: undefined, owner: undefined, barkEffects, barkHandling: 'sync' };
}

/** Fills a dog's list of suspensions with former addresses. */
export async function fillSuspensions(id: string, count = fullList): Promise<void> {
  const suspensions = Array.from({ length: count }, (_, since) => ({
    address: `former-${since}@example.com`,
    reason: 'bounced',
    since,
  }));
  const update = {
    UpdateExpression: 'SET suspensions = :all',
    ExpressionAttributeValues: { ':all': suspensions },
  };
  await database.send(new UpdateCommand({ TableName: process.env.DOGS_TABLE, Key: { id }, ...update }));
}

/**
 * Creates a dog with a unique ID and a value for each setting, and returns its ID. @param isOld true if the dog must look as if
 * version 1.0.0 had written it
 */
export async function newDog(
  barkHandling: DogSettings['barkHandling'],
  barkEffects: DogSettings['barkEffects'],
  { isOld = false } = {},
): Promise<string> {
  const id = newDogId();
  const addresses = { email: 'dog@example.com', owner: 'mailto:owner@example.com' };
  const settings = { ...exampleSettings, ...addresses, barkEffects, barkHandling };
  await putDog(id, settings, {}, newContext());
  if (isOld) await removeMailKey(id);
  return id;
}

/** Replaces the settings of a dog, or creates the dog again if it was deleted. */
export async function replaceSettings(dog: string, settings = settingsOf('record')): Promise<void> {
  await putDog(dog, settings, {}, newContext());
}

/** Deletes a dog, and creates a new one that has the same ID and counts its barks. */
export async function recreateDog(dog: string): Promise<void> {
  await deleteDog(dog, {}, newContext());
  await replaceSettings(dog, settingsOf('count'));
}

/**
 * Stores the history entries of a dog that has barked regularly since it was created.
 *
 * @param more additional attributes of the entries
 * @param at the time of the first bark, in milliseconds since 1970, and the time from one bark to the next
 */
export async function giveBarks(
  dog: string,
  count: number,
  more: object = {},
  at: { readonly first?: number; readonly intervalMs?: number } = {},
): Promise<void> {
  const { incarnation } = await readDog(dog, newContext());
  const { first = decodeTime(incarnation), intervalMs = 60_000 } = at;
  const table = String(process.env.BARKS_TABLE);
  const putOf = (n: number) => {
    const time = first + n * intervalMs;
    const sk = sortKey('historyEntry', ulidOf(time, hash('sha256', `${incarnation} ${n}`, 'buffer')));
    const entry = { dog, sk, incarnation, timestamp: Math.floor(time / 1000), resource: true, ...more };
    return { Put: { TableName: table, Item: entry } };
  };
  const puts = Array.from({ length: count }, (_, n) => putOf(n));
  for (let i = 0; i < count; i += 100)
    await database.send(new TransactWriteCommand({ TransactItems: puts.slice(i, i + 100) }));
}
