import { matchesPattern, type Pattern } from '@rest-actions/local-cloud/testing';
import { rowsOf } from './database-file.ts';
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
  private lastId = 0;

  constructor(table: string, filters: readonly Pattern[]) {
    this.table = table;
    this.filters = filters;
  }

  /** Returns all records of a dog that pass the filters of the event source mapping. */
  of(dog: string): StreamRecord[] {
    const sql = 'SELECT * FROM _stream_records WHERE table_name = ? AND id > ? ORDER BY id';
    for (const row of rowsOf(sql, this.table, this.lastId)) {
      this.lastId = Number(row.id);
      const record = recordOf(row);
      const { id, dog: ofDog } = record.dynamodb.Keys;
      const name = (id ?? ofDog)?.S ?? '';
      if (this.filters.length === 0 || this.filters.some((filter) => matchesPattern(filter, record)))
        this.records.set(name, [...(this.records.get(name) ?? []), record]);
    }
    return this.records.get(dog) ?? [];
  }

  /** Makes the next read return only the records of later writes. */
  skip(): void {
    const [row] = rowsOf('SELECT MAX(id) AS last FROM _stream_records');
    this.lastId = Number(row?.last);
  }
}

function recordOf(row: Record<string, unknown>): StreamRecord {
  const imageIn = (name: string) => (row[name] === null ? undefined : JSON.parse(String(row[name])));
  const [OldImage, NewImage] = [imageIn('old_image'), imageIn('new_image')];
  return {
    eventName: String(row.event_name),
    dynamodb: {
      Keys: imageIn('keys_json'),
      SequenceNumber: String(row.sequence_number),
      ApproximateCreationDateTime: Number(row.created_at),
      ...(OldImage && { OldImage }),
      ...(NewImage && { NewImage }),
    },
  };
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
export function skipRecords(): void {
  for (const variable of ['DOGS_TABLE', 'BARKS_TABLE'] as const) streamOf(variable).skip();
}

/** Returns the records that Lambda passes to `PublishEvents` for a dog, by stream, in their order. */
export function recordsOf(dog: string): { dogs: StreamRecord[]; barks: StreamRecord[] } {
  return { dogs: streamOf('DOGS_TABLE').of(dog), barks: streamOf('BARKS_TABLE').of(dog) };
}
