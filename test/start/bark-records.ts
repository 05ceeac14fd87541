import { readStream } from './stream.ts';

/** Returns the places of the first records of the table of barks, in the form of Lambda's messages about failed batches. */
export async function firstBarkRecords(directory: string, count: number) {
  const { streamArn, shardId, records } = await readStream(directory, 'BarksTable');
  const numbers = records.map(({ dynamodb }) => dynamodb?.SequenceNumber);
  return {
    streamArn,
    shardId,
    startSequenceNumber: numbers[0],
    endSequenceNumber: numbers[count - 1],
    batchSize: count,
  };
}
