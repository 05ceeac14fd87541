import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import { purgeDog } from '../domain/purge.ts';

/** How long before its time is up the function gives up, in milliseconds; the stream then delivers the event again. */
const reserve = 5_000;

/** Purges each dog whose deletion the stream of the table of dogs tells of. */
export async function handler({ Records }: DynamoDBStreamEvent, context: Context): Promise<void> {
  for (const { dynamodb } of Records) {
    const id = dynamodb?.OldImage?.id?.S;
    const life = dynamodb?.OldImage?.life?.S;
    if (!id || !life) throw new Error('The event is not the removal of a dog.');
    const signal = AbortSignal.timeout(context.getRemainingTimeInMillis() - reserve);
    await purgeDog(id, life, { now: Date.now(), signal });
  }
}
