import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { DogSettings } from '../../lambdas/domain/dogs/dog.ts';
import { putDog, readDog } from '../../lambdas/domain/dogs/repository.ts';
import { database } from '../../lambdas/domain/platform/dynamodb.ts';
import { occurrenceUlid } from '../../lambdas/domain/schedules/schedule.ts';

let dogs = 0;

/** Makes a dog that nobody else has, with the addresses that any effect needs, and gives its id. */
export async function newDog(
  barkHandling: DogSettings['barkHandling'],
  barkEffects: DogSettings['barkEffects'],
): Promise<string> {
  const id = `dog-${dogs++}`;
  const settings = { email: 'dog@example.com', owner: 'mailto:owner@example.com', barkEffects, barkHandling };
  await putDog(id, settings, {}, { now: Date.UTC(2026, 10, 21, 12), signal: AbortSignal.timeout(8_000) });
  return id;
}

/** Gives a dog a past: it has barked every minute, so many times. @param more what else the notes have */
export async function giveBarks(dog: string, count: number, more: object = {}): Promise<void> {
  const { incarnation } = await readDog(dog, { now: Date.now(), signal: AbortSignal.timeout(8_000) });
  const noteOf = (n: number) => {
    const timestamp = Date.UTC(2026, 0, 1) / 1000 + n * 60;
    const sk = `b#${occurrenceUlid({ scheduleId: incarnation }, timestamp)}`;
    return { PutRequest: { Item: { dog, sk, incarnation, timestamp, resource: true, ...more } } };
  };
  const table = String(process.env.BARKS_TABLE);
  const batches = Array.from({ length: Math.ceil(count / 25) }, (_, i) =>
    Array.from({ length: Math.min(25, count - i * 25) }, (_, j) => noteOf(i * 25 + j)),
  );
  const writeNext = async (): Promise<void> => {
    const batch = batches.pop();
    if (!batch) return;
    await database.send(new BatchWriteCommand({ RequestItems: { [table]: batch } }));
    return writeNext();
  };
  await Promise.all(Array.from({ length: 8 }, writeNext));
}
