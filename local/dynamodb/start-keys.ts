import type { AwsCall } from '../endpoint/emulator.ts';
import { type AwsResponse, jsonError } from '../endpoint/response.ts';
import type { Properties } from '../template/resource.ts';
import type { Template } from '../template/template.ts';

/** A value of an attribute, such as `{ "S": "rex" }`. */
type Value = Readonly<Record<string, string>>;
type Item = Readonly<Record<string, Value>>;

/** The key of a table or an index. */
interface KeySchema {
  readonly partition: string;
  readonly sort: string | undefined;
}

interface Table {
  readonly key: KeySchema;
  readonly indexes: ReadonlyMap<string, KeySchema>;
  /** `S`, `N` or `B` for each attribute of a key. */
  readonly types: ReadonlyMap<string, string>;
}

interface Request {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly ExclusiveStartKey?: Item;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Item;
}

/** A condition on one attribute of the key. */
interface Condition {
  readonly attribute: string;
  readonly operator: string;
  readonly operands: readonly Value[];
}

const invalid = 'The provided starting key is invalid';
const mismatch = `${invalid}: The provided key element does not match the schema`;

/**
 * Refuses the start keys that DynamoDB refuses and the embedded database accepts: keys that do not have exactly the attributes
 * of the table's key and the index's key, keys with attributes of other types and, in a Query, keys that the key condition
 * excludes.
 *
 * The messages and the order of the checks are those that the tests of dynalite recorded on AWS. Other sources report "outside
 * query boundaries" for a sort key that the condition excludes. Both are a ValidationException with status 400.
 *
 * @see {@link https://github.com/architect/dynalite/blob/main/test/query.js dynalite: tests of Query}
 * @see {@link https://github.com/scylladb/scylladb/issues/26988 ScyllaDB: how DynamoDB checks a start key}
 * @see {@link https://github.com/floci-io/floci/pull/1443 floci: the messages of Query and Scan}
 */
export class StartKeys {
  private readonly tables: ReadonlyMap<string, Table>;

  constructor(template: Template) {
    this.tables = new Map(
      template
        .ofType('AWS::DynamoDB::Table')
        .map((resource) => [template.idOf(resource), tableOf(resource.properties)]),
    );
  }

  /** Returns the response to a call whose start key DynamoDB refuses, or undefined for any other call. */
  errorFor({ service, headers, body }: AwsCall): AwsResponse | undefined {
    const [, operation] = headers['x-amz-target']?.split('.') ?? [];
    if (service !== 'dynamodb' || (operation !== 'Query' && operation !== 'Scan')) return undefined;
    const request: Request = JSON.parse(body.toString('utf8'));
    const { TableName = '', ExclusiveStartKey: startKey } = request;
    const table = this.tables.get(TableName);
    if (!table || !startKey) return undefined;
    const message = operation === 'Scan' ? faultOfScan(table, request) : faultOfQuery(table, request);
    return message === undefined ? undefined : jsonError(400, 'ValidationException', message);
  }
}

function tableOf(properties: Properties): Table {
  const {
    KeySchema,
    AttributeDefinitions,
    GlobalSecondaryIndexes = [],
    LocalSecondaryIndexes = [],
  } = properties;
  return {
    key: keyOf(KeySchema),
    indexes: new Map(
      [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes].map((index: Properties) => [
        index.IndexName,
        keyOf(index.KeySchema),
      ]),
    ),
    types: new Map(
      AttributeDefinitions.map(({ AttributeName, AttributeType }: Properties) => [
        AttributeName,
        AttributeType,
      ]),
    ),
  };
}

function keyOf(schema: readonly Properties[]): KeySchema {
  const attribute = (type: string) => schema.find(({ KeyType }) => KeyType === type)?.AttributeName;
  return { partition: attribute('HASH'), sort: attribute('RANGE') };
}

function faultOfScan(table: Table, request: Request): string | undefined {
  return hasKeyAttributes(table, request) && hasKeyTypes(table, request) ? undefined : mismatch;
}

function faultOfQuery(table: Table, request: Request): string | undefined {
  if (!hasKeyAttributes(table, request)) return invalid;
  if (!hasKeyTypes(table, request)) return mismatch;
  const { partition, sort } = schemaOf(table, request);
  const conditions = conditionsOf(request);
  const ofPartition = conditions.find(({ attribute }) => attribute === partition);
  // The embedded database refuses a condition without the partition key.
  if (!ofPartition) return undefined;
  const ofSort = conditions.find(({ attribute }) => attribute === sort);
  const holds = ({ attribute, operator, operands }: Condition) =>
    isTrue(request.ExclusiveStartKey?.[attribute], operator, operands);
  if (ofSort && !holds(ofSort)) return 'The provided starting key does not match the range key predicate';
  if (holds(ofPartition)) return undefined;
  return ofSort
    ? 'The query can return at most one row and cannot be restarted'
    : 'The provided starting key is outside query boundaries based on provided conditions';
}

function schemaOf({ key, indexes }: Table, { IndexName = '' }: Request): KeySchema {
  return indexes.get(IndexName) ?? key;
}

/** Returns true if the start key has exactly the attributes of the table's key and the index's key. */
function hasKeyAttributes(table: Table, request: Request): boolean {
  const attributes = [table.key, schemaOf(table, request)].flatMap(({ partition, sort }) => [
    partition,
    sort,
  ]);
  const wanted = new Set(attributes.filter((name) => name !== undefined));
  const given = Object.keys(request.ExclusiveStartKey ?? {});
  return given.length === wanted.size && given.every((name) => wanted.has(name));
}

function hasKeyTypes({ types }: Table, { ExclusiveStartKey = {} }: Request): boolean {
  return Object.entries(ExclusiveStartKey).every(
    ([name, value]) => types.get(name) === Object.keys(value)[0],
  );
}

/** Each operator with the one that replaces it if the two sides of the condition are swapped. */
const mirrored: Readonly<Record<string, string>> = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

const term =
  /begins_with\s*\(\s*([#\w.-]+)\s*,\s*(:\w+)\s*\)|([#\w.-]+)\s+between\s+(:\w+)\s+and\s+(:\w+)|([#:]?[\w.-]+)\s*(<=|>=|=|<|>)\s*([#:]?[\w.-]+)/gi;

function conditionsOf(request: Request): Condition[] {
  const { KeyConditionExpression = '', ExpressionAttributeNames: names = {} } = request;
  const condition = (name = '', operator = '', ...operands: (string | undefined)[]): Condition => ({
    attribute: names[name] ?? name,
    operator,
    operands: operands.map((placeholder) => request.ExpressionAttributeValues?.[placeholder ?? ''] ?? {}),
  });
  return [...KeyConditionExpression.matchAll(term)].map(
    ([, prefixed, prefix, bounded, low, high, left, operator = '', right]) => {
      if (prefixed !== undefined) return condition(prefixed, 'begins_with', prefix);
      if (bounded !== undefined) return condition(bounded, 'between', low, high);
      return left?.startsWith(':')
        ? condition(right, mirrored[operator], left)
        : condition(left, operator, right);
    },
  );
}

function isTrue(value: Value = {}, operator: string, [first = {}, second = {}]: readonly Value[]): boolean {
  const order = compare(value, first);
  switch (operator) {
    case '=':
      return order === 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case 'between':
      return order >= 0 && compare(value, second) <= 0;
    default:
      return bytesOf(value).subarray(0, bytesOf(first).length).equals(bytesOf(first));
  }
}

/** Compares as DynamoDB does: numbers by their value, strings by their UTF-8 bytes, binary values by their bytes. */
function compare(one: Value, other: Value): number {
  if (one.N !== undefined) return Number(one.N) - Number(other.N);
  return Buffer.compare(bytesOf(one), bytesOf(other));
}

function bytesOf({ S, B = '' }: Value): Buffer {
  return S === undefined ? Buffer.from(B, 'base64') : Buffer.from(S, 'utf8');
}
