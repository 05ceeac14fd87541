import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { deleteDog } from '../../lambdas/domain/dogs/delete.ts';
import type { Dog, DogSettings, Effect } from '../../lambdas/domain/dogs/dog.ts';
import { sortKey } from '../../lambdas/domain/dogs/keys.ts';
import { putDog } from '../../lambdas/domain/dogs/put.ts';
import { readDog } from '../../lambdas/domain/dogs/read.ts';
import { occurrenceUlid } from '../../lambdas/domain/dogs/schedule.ts';
import { database } from '../../lambdas/domain/platform/dynamodb.ts';
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

/** Stores the history entries of a dog that has barked every minute. @param more additional attributes of the entries */
export async function giveBarks(dog: string, count: number, more: object = {}): Promise<void> {
  const { incarnation } = await readDog(dog, newContext());
  const table = String(process.env.BARKS_TABLE);
  const putOf = (n: number) => {
    const timestamp = Date.UTC(2026, 0, 1) / 1000 + n * 60;
    const sk = sortKey('historyEntry', occurrenceUlid({ scheduleId: incarnation }, timestamp));
    return { Put: { TableName: table, Item: { dog, sk, incarnation, timestamp, resource: true, ...more } } };
  };
  const puts = Array.from({ length: count }, (_, n) => putOf(n));
  for (let i = 0; i < count; i += 100)
    await database.send(new TransactWriteCommand({ TransactItems: puts.slice(i, i + 100) }));
}
