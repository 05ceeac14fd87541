import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import { purgeDog } from '../domain/purge.ts';

/** How long before its time is up the function gives up, in milliseconds; the stream then delivers the event again. */
const reserve = 5_000;

/** Purges each dog whose deletion the stream of the table of dogs tells of. */
export async function handler({ Records }: DynamoDBStreamEvent, context: Context): Promise<void> {
  for (const { dynamodb } of Records) {
    const { OldImage: dog } = dynamodb ?? {};
    const id = dog?.id?.S;
    const life = dog?.life?.S;
    const generation = dog?.schedule?.M?.generation?.S;
    if (!id || !life) throw new Error('The event is not the removal of a dog.');
    const signal = AbortSignal.timeout(context.getRemainingTimeInMillis() - reserve);
    const schedule = generation === undefined ? {} : { schedule: { generation } };
    await purgeDog({ id, life, ...schedule }, { now: Date.now(), signal });
  }
}
