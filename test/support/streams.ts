import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { matchesPattern, type Pattern } from '../../local/eventbridge/pattern.ts';
import { readAssembly } from '../../local/template/synthesize.ts';
import { synthesized } from './prepare.ts';

/** A record as Lambda passes it to `PublishEvents`. */
export interface StreamRecord {
  readonly eventName?: string;
  readonly dynamodb: {
    readonly Keys: Readonly<Record<string, { readonly S: string }>>;
    readonly SequenceNumber: string;
    readonly ApproximateCreationDateTime: number;
    readonly OldImage?: object;
    readonly NewImage?: object;
  };
}

/** The stream of a table, of which each read continues after the last one. */
class TableStream {
  private readonly table: string;
  private readonly filters: readonly Pattern[];
  private readonly records = new Map<string, StreamRecord[]>();
  private iterator: string | undefined;
  private reading: Promise<unknown> = Promise.resolve();

  constructor(table: string, filters: readonly Pattern[]) {
    this.table = table;
    this.filters = filters;
  }

  /** Returns all records of a dog that pass the filters of the event source mapping. */
  async of(dog: string): Promise<StreamRecord[]> {
    this.reading = this.reading.then(() => this.read());
    await this.reading;
    return this.records.get(dog) ?? [];
  }

  private async read(): Promise<void> {
    const client = new DynamoDBStreamsClient({ endpoint: String(process.env.AWS_ENDPOINT_URL_DYNAMODB) });
    this.iterator ??= await this.start(client);
    for (;;) {
      const page = await client.send(new GetRecordsCommand({ ShardIterator: this.iterator }));
      this.iterator = page.NextShardIterator;
      for (const record of page.Records ?? []) {
        const at = record.dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0;
        const own = { ...record, dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: at / 1000 } };
        if (this.filters.length === 0 || this.filters.some((filter) => matchesPattern(filter, own)))
          this.add(own as StreamRecord);
      }
      if (!page.Records?.length) break;
    }
    client.destroy();
  }

  private add(record: StreamRecord): void {
    const { id, dog } = record.dynamodb.Keys;
    const name = (id ?? dog)?.S ?? '';
    this.records.set(name, [...(this.records.get(name) ?? []), record]);
  }

  private async start(client: DynamoDBStreamsClient): Promise<string | undefined> {
    const database = new DynamoDBClient();
    const { Table } = await database.send(new DescribeTableCommand({ TableName: this.table }));
    database.destroy();
    const StreamArn = Table?.LatestStreamArn;
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn }));
    const ShardId = StreamDescription?.Shards?.[0]?.ShardId;
    const { ShardIterator } = await client.send(
      new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
    );
    return ShardIterator;
  }
}

const streams = new Map<string, TableStream>();

/** Returns the stream of a table, with the filters that the stack has for `PublishEvents`. */
function streamOf(variable: 'DOGS_TABLE' | 'BARKS_TABLE'): TableStream {
  const table = String(process.env[variable]);
  const { template } = readAssembly(synthesized);
  const mapping = template
    .ofType('AWS::Lambda::EventSourceMapping')
    .find(
      ({ properties: { EventSourceArn, FunctionResponseTypes } }) =>
        FunctionResponseTypes && EventSourceArn.includes(`:table/${table}/`),
    );
  const filters: { Pattern: string }[] = mapping?.properties.FilterCriteria?.Filters ?? [];
  const stream =
    streams.get(table) ??
    new TableStream(
      table,
      filters.map(({ Pattern }) => JSON.parse(Pattern)),
    );
  streams.set(table, stream);
  return stream;
}

/** Returns the records that Lambda passes to `PublishEvents` for a dog, by stream, in their order. */
export async function recordsOf(dog: string): Promise<{ dogs: StreamRecord[]; barks: StreamRecord[] }> {
  const [dogs, barks] = await Promise.all([streamOf('DOGS_TABLE').of(dog), streamOf('BARKS_TABLE').of(dog)]);
  return { dogs, barks };
}
