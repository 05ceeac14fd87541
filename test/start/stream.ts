import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { withClient } from './operator-access.ts';
import { withDatabase } from './tables.ts';

/** Returns the first records of a table's stream, and their place. @param table the stack's output with the table's name */
export async function readStream(directory: string, table: string) {
  const StreamArn = await withDatabase(directory, async (client, outputs) => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: outputs[table] }));
    return Table?.LatestStreamArn ?? '';
  });
  return withClient(DynamoDBStreamsClient, directory, async (streams) => {
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
    const ShardId = StreamDescription?.Shards?.[0]?.ShardId ?? '';
    const beginning = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' } as const;
    const { ShardIterator } = await streams.send(new GetShardIteratorCommand(beginning));
    const { Records = [] } = await streams.send(new GetRecordsCommand({ ShardIterator }));
    return { streamArn: StreamArn, shardId: ShardId, records: Records };
  });
}
