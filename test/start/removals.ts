import { readStream } from './stream.ts';

/** Returns the place of the record about a dog's removal in the stream of the table of dogs. */
export async function removalOf(directory: string, dog: string) {
  const { streamArn, shardId, records } = await readStream(directory, 'DogsTable');
  const { dynamodb } =
    records.find(({ eventName, dynamodb }) => eventName === 'REMOVE' && dynamodb?.Keys?.id?.S === dog) ?? {};
  return { streamArn, shardId, startSequenceNumber: dynamodb?.SequenceNumber ?? '' };
}
