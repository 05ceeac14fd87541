import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { StreamsClient } from '../../local/dynamodb/streams-client.ts';
import { forwardSigned } from '../../local/endpoint/forwarding.ts';
import { matchesPattern, type Pattern } from '../../local/eventbridge/pattern.ts';
import { readFile } from './database.ts';
import { synthesizedAssembly } from './of-worker.ts';

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

/** The stream of a table. Each read continues after the last one. */
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
    for (;;) {
      this.iterator ??= await this.start('TRIM_HORIZON');
      const read = readFile('GetRecords', { ShardIterator: this.iterator });
      if (read === undefined) return;
      const { Records, NextShardIterator } = JSON.parse(read);
      this.iterator = NextShardIterator;
      for (const record of Records)
        if (this.filters.length === 0 || this.filters.some((filter) => matchesPattern(filter, record)))
          this.add(record);
    }
  }

  /** Makes the next read return only the records of later writes. */
  async skip(): Promise<void> {
    this.iterator = await this.start('LATEST');
  }

  private add(record: StreamRecord): void {
    const { id, dog } = record.dynamodb.Keys;
    const name = (id ?? dog)?.S ?? '';
    this.records.set(name, [...(this.records.get(name) ?? []), record]);
  }

  private async start(ShardIteratorType: 'TRIM_HORIZON' | 'LATEST'): Promise<string> {
    const client = new StreamsClient(
      forwardSigned(String(process.env.AWS_ENDPOINT_URL_DYNAMODB), process.env),
    );
    const database = new DynamoDBClient();
    const { Table } = await database.send(new DescribeTableCommand({ TableName: this.table }));
    database.destroy();
    const StreamArn = Table?.LatestStreamArn;
    const { StreamDescription } = await client.send('DescribeStream', { StreamArn });
    const ShardId = StreamDescription?.Shards?.[0]?.ShardId ?? '';
    const { ShardIterator } = await client.send('GetShardIterator', {
      StreamArn,
      ShardId,
      ShardIteratorType,
    });
    return String(ShardIterator);
  }
}

const streams = new Map<string, TableStream>();

/** Returns the stream of a table, with the filters that the stack has for `PublishEvents`. */
function streamOf(variable: 'DOGS_TABLE' | 'BARKS_TABLE'): TableStream {
  const table = String(process.env[variable]);
  const { template } = synthesizedAssembly();
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

/** Makes `recordsOf` leave out all records until now, so that it does not have to read them. */
export async function skipRecords(): Promise<void> {
  await Promise.all([streamOf('DOGS_TABLE').skip(), streamOf('BARKS_TABLE').skip()]);
}

/** Returns the records that Lambda passes to `PublishEvents` for a dog, by stream, in their order. */
export async function recordsOf(dog: string): Promise<{ dogs: StreamRecord[]; barks: StreamRecord[] }> {
  const [dogs, barks] = await Promise.all([streamOf('DOGS_TABLE').of(dog), streamOf('BARKS_TABLE').of(dog)]);
  return { dogs, barks };
}
