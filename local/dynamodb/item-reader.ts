import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parseJson } from '../platform/json.ts';

/** An attribute value, such as `{ "S": "rex" }`. */
type Value = Readonly<Record<string, unknown>>;
export type Item = Readonly<Record<string, Value>>;

interface BatchRequest {
  readonly Keys?: readonly Item[];
  readonly ConsistentRead?: boolean;
}

export interface ReadRequest {
  readonly RequestItems?: Readonly<Record<string, BatchRequest>>;
  readonly TableName?: string;
  readonly Key?: Item;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeValues?: Item;
  readonly ExclusiveStartKey?: Item;
  readonly ScanIndexForward?: boolean;
  readonly Limit?: number;
  readonly ShardIterator?: string;
}

/** The content of the embedded database's shard iterators, which are JSON in base64. */
interface ShardPosition {
  readonly table_name: string;
  readonly shard_id: string;
  /** The sequence number after which to read. */
  readonly position: number;
}

interface RecordRow {
  readonly event_name: string;
  readonly keys_json: string;
  readonly new_image: string | null;
  readonly old_image: string | null;
  readonly sequence_number: string;
  /** Unix seconds. */
  readonly created_at: number;
  readonly user_identity: string | null;
  readonly stream_view_type: string;
}

interface KeySchema {
  readonly partition: string;
  readonly sort: string | undefined;
}

/** The items of a partition between two sort keys, inclusive. */
interface Range {
  readonly partition: string;
  readonly from: string;
  readonly to: string;
}

interface StoredKey {
  readonly pk: string;
  readonly sk: string;
}

interface Row {
  readonly item_json: string;
  readonly item_size: number;
}

/** Request members, by operation. ConsistentRead has no effect, because every read is consistent. */
const supported: Readonly<Record<string, ReadonlySet<string>>> = {
  BatchGetItem: new Set(['RequestItems']),
  GetItem: new Set(['TableName', 'Key', 'ConsistentRead']),
  GetRecords: new Set(['ShardIterator', 'Limit']),
  Query: new Set([
    'TableName',
    'KeyConditionExpression',
    'ExpressionAttributeValues',
    'ExclusiveStartKey',
    'ScanIndexForward',
    'Limit',
    'ConsistentRead',
  ]),
};

/** `partition = :value`, with an optional `sort BETWEEN :from AND :to`. */
export const keyCondition = /^(\w+) = (:\w+)(?: AND (\w+) BETWEEN (:\w+) AND (:\w+))?$/;

const supportedInBatch = new Set(['Keys', 'ConsistentRead']);

const maximumBatchKeys = 100;

const maximumPageBytes = 1024 * 1024;

const maximumRecords = 1_000;

/** DynamoDB's limit for sort keys. The database process handles larger partition keys. */
const maximumKeyBytes = 1024;

/** The database stores a string key with this prefix, which states the type. */
const stringPrefix = 'S:';

/** Greater than every stored string, because stored strings start with `S`. */
const afterAllStrings = 'T';

/**
 * Reads items and stream records directly from the embedded database's file, several times as fast as through the database
 * process. Supports only GetItem and BatchGetItem of whole items, GetRecords, and Query with `keyCondition`.
 */
export class ItemReader {
  private readonly store: DatabaseSync;
  /** By SQL. Preparing a statement takes several times as long as running it. */
  private readonly statements = new Map<string, StatementSync>();
  private readonly schemas = new Map<string, KeySchema>();

  constructor(file: string) {
    this.store = new DatabaseSync(file, { readOnly: true, timeout: 3_000 });
  }

  close(): void {
    this.store.close();
  }

  /** Returns JSON, or undefined if the database process must respond, for example to an invalid request. */
  read(operation: string, request: ReadRequest): string | undefined {
    const members = supported[operation];
    if (!members || Object.keys(request).some((name) => !members.has(name))) return undefined;
    if (operation === 'BatchGetItem') return this.getBatch(request);
    if (operation === 'GetRecords') return this.records(request);
    const { TableName = '' } = request;
    const schema = this.schemaOf(TableName);
    if (!schema) return undefined;
    return operation === 'GetItem'
      ? this.get(TableName, schema, request)
      : this.query(TableName, schema, request);
  }

  /** Must be called before and after each change to a table, because a read during the change can cache the schema again. */
  forgetTables(): void {
    this.schemas.clear();
  }

  keyOf(tableName: string, item: Item): Item {
    const { partition = '', sort } = this.schemaOf(tableName) ?? {};
    return Object.fromEntries(Object.entries(item).filter(([name]) => name === partition || name === sort));
  }

  private schemaOf(tableName: string): KeySchema | undefined {
    const known = this.schemas.get(tableName);
    if (known) return known;
    const row = this.prepared('SELECT key_schema FROM _tables WHERE table_name = ?').get(tableName);
    if (!row) return undefined;
    const keys = JSON.parse(String(row.key_schema)) as { AttributeName: string; KeyType: string }[];
    const attribute = (type: string) => keys.find(({ KeyType }) => KeyType === type)?.AttributeName;
    const schema = { partition: attribute('HASH') ?? '', sort: attribute('RANGE') };
    this.schemas.set(tableName, schema);
    return schema;
  }

  private get(tableName: string, schema: KeySchema, { Key }: ReadRequest): string | undefined {
    const key = storedKey(schema, Key);
    if (!key) return undefined;
    const row = this.find(tableName, key);
    return row ? `{"Item":${row.item_json}}` : '{}';
  }

  private find(tableName: string, { pk, sk }: StoredKey): Row | undefined {
    const sql = `SELECT item_json, item_size FROM "${tableName}" WHERE pk = ? AND sk = ?`;
    return this.prepared(sql).get(pk, sk) as Row | undefined;
  }

  private getBatch({ RequestItems = {} }: ReadRequest): string | undefined {
    const tables: string[] = [];
    let keys = 0;
    let bytes = 0;
    for (const [tableName, batch] of Object.entries(RequestItems)) {
      const schema = this.schemaOf(tableName);
      if (!schema || Object.keys(batch).some((name) => !supportedInBatch.has(name))) return undefined;
      const stored = (batch.Keys ?? []).map((key) => storedKey(schema, key));
      const distinct = new Map(stored.map((key) => [JSON.stringify(key), key]));
      const found = [...distinct.values()].map((key) => (key ? this.find(tableName, key) : undefined));
      if (stored.length === 0 || distinct.size < stored.length || stored.includes(undefined))
        return undefined;
      const rows = found.filter((row) => row !== undefined);
      tables.push(`${JSON.stringify(tableName)}:[${rows.map((row) => row.item_json).join()}]`);
      keys += stored.length;
      bytes += rows.reduce((sum, row) => sum + row.item_size, 0);
    }
    if (keys === 0 || keys > maximumBatchKeys || bytes > maximumPageBytes) return undefined;
    return `{"Responses":{${tables.join()}},"UnprocessedKeys":{}}`;
  }

  private query(tableName: string, schema: KeySchema, request: ReadRequest): string | undefined {
    const { ExclusiveStartKey, ScanIndexForward: forward = true, Limit = Number.POSITIVE_INFINITY } = request;
    const range = rangeOf(schema, request);
    const edge = forward ? '' : afterAllStrings;
    const start = ExclusiveStartKey ? storedKey(schema, ExclusiveStartKey)?.sk : edge;
    if (!range || start === undefined || Limit < 1) return undefined;
    const rows = this.prepared(
      `SELECT item_json, item_size FROM "${tableName}" WHERE pk = ? AND sk BETWEEN ? AND ?
         AND sk ${forward ? '>' : '<'} ? ORDER BY sk ${forward ? 'ASC' : 'DESC'}`,
    ).iterate(range.partition, range.from, range.to, start);
    return pageOf(rows as Iterable<Row>, schema, Limit);
  }

  /** Also returns undefined if no record follows, because only the database process reports whether the shard has ended. */
  private records({ ShardIterator = '', Limit = maximumRecords }: ReadRequest): string | undefined {
    const shard = positionIn(ShardIterator);
    if (!shard || !(Limit >= 1 && Limit <= maximumRecords)) return undefined;
    const { table_name, shard_id, position } = shard;
    const rows = this.prepared(
      `SELECT event_name, keys_json, new_image, old_image, sequence_number, _stream_records.created_at, user_identity,
         stream_view_type
       FROM _stream_records JOIN _tables USING (table_name)
       WHERE table_name = ? AND shard_id = ? AND CAST(sequence_number AS INTEGER) > ?
       ORDER BY CAST(sequence_number AS INTEGER) LIMIT ?`,
    ).all(table_name, shard_id, position, Limit) as unknown as RecordRow[];
    const last = rows.at(-1);
    if (!last || rows.some(({ user_identity }) => user_identity !== null)) return undefined;
    const next = JSON.stringify({ ...shard, position: Number(last.sequence_number) });
    return `{"Records":[${rows.map(recordOf).join()}],"NextShardIterator":"${Buffer.from(next).toString('base64')}"}`;
  }

  private prepared(sql: string): StatementSync {
    const statement = this.statements.get(sql) ?? this.store.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }
}

function positionIn(shardIterator: string): ShardPosition | undefined {
  const content = parseJson(Buffer.from(shardIterator, 'base64').toString()) as ShardPosition | undefined;
  const { table_name, shard_id, position } = content ?? {};
  return typeof table_name === 'string' && typeof shard_id === 'string' && typeof position === 'number'
    ? { table_name, shard_id, position }
    : undefined;
}

/** Returns JSON. `SizeBytes` is the size of the stored JSON, as in the database process's responses. */
function recordOf({ new_image: newImage, old_image: oldImage, ...row }: RecordRow): string {
  const images = [row.keys_json, newImage ?? '', oldImage ?? ''];
  const bytes = images.reduce((sum, image) => sum + Buffer.byteLength(image), 0);
  const change = [
    `"ApproximateCreationDateTime":${row.created_at}`,
    `"Keys":${row.keys_json}`,
    ...(newImage === null ? [] : [`"NewImage":${newImage}`]),
    ...(oldImage === null ? [] : [`"OldImage":${oldImage}`]),
    `"SequenceNumber":"${row.sequence_number}","SizeBytes":${bytes},"StreamViewType":"${row.stream_view_type}"`,
  ];
  return `{"awsRegion":"dynoxide","dynamodb":{${change.join()}},"eventID":"${row.sequence_number}","eventName":"${row.event_name}","eventSource":"aws:dynamodb","eventVersion":"1.1"}`;
}

function pageOf(rows: Iterable<Row>, schema: KeySchema, limit: number): string | undefined {
  const items: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    items.push(row.item_json);
    bytes += row.item_size;
    if (items.length === limit || bytes > maximumPageBytes) break;
  }
  if (bytes > maximumPageBytes) return undefined;
  const page = `"Items":[${items.join()}],"Count":${items.length},"ScannedCount":${items.length}`;
  return items.length === limit
    ? `{${page},"LastEvaluatedKey":${JSON.stringify(keyOf(items.at(-1) ?? '{}', schema))}}`
    : `{${page}}`;
}

function keyOf(item: string, { partition, sort = '' }: KeySchema): object {
  const { [partition]: partitionValue, [sort]: sortValue } = JSON.parse(item) as Item;
  return { [partition]: partitionValue, [sort]: sortValue };
}

function rangeOf({ partition, sort }: KeySchema, request: ReadRequest): Range | undefined {
  const { KeyConditionExpression = '', ExpressionAttributeValues: values = {} } = request;
  const condition = keyCondition.exec(KeyConditionExpression);
  if (!condition || condition[1] !== partition || sort === undefined) return undefined;
  const [, , value, attribute, from, to] = condition;
  const names = new Set([value, from, to].filter((name) => name !== undefined));
  const stored = (name = '') => storedString(values[name]);
  const range = attribute
    ? { partition: stored(value), from: stored(from), to: stored(to) }
    : { partition: stored(value), from: '', to: afterAllStrings };
  if (attribute !== undefined && attribute !== sort) return undefined;
  if (names.size !== Object.keys(values).length || !isComplete(range)) return undefined;
  return Buffer.compare(Buffer.from(range.from), Buffer.from(range.to)) <= 0 ? range : undefined;
}

function isComplete(range: { readonly [Name in keyof Range]: string | undefined }): range is Range {
  return range.partition !== undefined && range.from !== undefined && range.to !== undefined;
}

function storedKey({ partition, sort }: KeySchema, key: Item = {}): StoredKey | undefined {
  const names = sort === undefined ? [partition] : [partition, sort];
  const pk = storedString(key[partition]);
  const sk = sort === undefined ? '' : storedString(key[sort]);
  if (Object.keys(key).length !== names.length || pk === undefined || sk === undefined) return undefined;
  return { pk, sk };
}

function storedString(value: Value = {}): string | undefined {
  const { S: text } = value;
  if (typeof text !== 'string' || text === '' || Buffer.byteLength(text) > maximumKeyBytes) return undefined;
  return `${stringPrefix}${text}`;
}
