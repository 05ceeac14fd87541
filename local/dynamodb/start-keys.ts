import type { AwsCall } from '../endpoint/emulator.ts';
import { type AwsResponse, jsonError } from '../endpoint/response.ts';
import type { Template } from '../template/template.ts';

type Item = Readonly<Record<string, { readonly S?: string }>>;

interface Request {
  readonly TableName?: string;
  readonly ExclusiveStartKey?: Item;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeValues?: Item;
}

/** `partition = :value`, with an optional `sort BETWEEN :from AND :to`. */
const keyCondition = /^(\w+) = (:\w+)(?: AND (\w+) BETWEEN (:\w+) AND (:\w+))?$/;

const invalid = 'The provided starting key is invalid';
const mismatch = `${invalid}: The provided key element does not match the schema`;

/**
 * Refuses the start keys that DynamoDB refuses and the embedded database accepts: keys that do not have exactly the attributes
 * of the table's key, keys with attributes that are not text and, in a Query, keys that the key condition excludes. Supports only
 * tables whose keys are text, and only conditions that match `keyCondition`.
 *
 * The messages and the order of the checks are those that dynalite's tests recorded on AWS. Other sources report "outside query
 * boundaries" for a sort key that the condition excludes.
 *
 * @see {@link https://github.com/architect/dynalite/blob/main/test/query.js dynalite: tests of Query}
 * @see {@link https://github.com/scylladb/scylladb/issues/26988 ScyllaDB: how DynamoDB checks a start key}
 * @see {@link https://github.com/floci-io/floci/pull/1443 floci: the messages of Query and Scan}
 */
export class StartKeys {
  /** The key attributes, by table name. */
  private readonly tables: ReadonlyMap<string, readonly string[]>;

  constructor(template: Template) {
    this.tables = new Map(
      template.ofType('AWS::DynamoDB::Table').map((resource) => {
        const schema: { AttributeName: string }[] = resource.properties.KeySchema;
        return [template.idOf(resource), schema.map(({ AttributeName }) => AttributeName)];
      }),
    );
  }

  /** Returns undefined if DynamoDB accepts the start key, or if there is none. */
  errorFor({ service, headers, body }: AwsCall): AwsResponse | undefined {
    const [, operation] = headers['x-amz-target']?.split('.') ?? [];
    if (service !== 'dynamodb' || (operation !== 'Query' && operation !== 'Scan')) return undefined;
    const request: Request = JSON.parse(body.toString('utf8'));
    const { TableName = '', ExclusiveStartKey: start } = request;
    const key = this.tables.get(TableName);
    if (!key || !start) return undefined;
    const names = Object.keys(start);
    const isKey = names.length === key.length && names.every((name) => key.includes(name));
    const isText = Object.values(start).every(({ S }) => S !== undefined);
    const message =
      operation === 'Scan' ? !(isKey && isText) && mismatch : faultOfQuery(start, request, { isKey, isText });
    return message ? jsonError(400, 'ValidationException', message) : undefined;
  }
}

function faultOfQuery(
  start: Item,
  { KeyConditionExpression = '', ExpressionAttributeValues: values = {} }: Request,
  { isKey, isText }: { isKey: boolean; isText: boolean },
): string | undefined {
  if (!isKey) return invalid;
  if (!isText) return mismatch;
  const condition = keyCondition.exec(KeyConditionExpression);
  if (!condition) return `The local cloud does not support a start key with ${KeyConditionExpression}.`;
  const [, partition = '', value = '', sort, from = '', to = ''] = condition;
  const compare = (name: string, placeholder: string) =>
    Buffer.compare(bytesOf(start[name]), bytesOf(values[placeholder]));
  const isInRange = sort === undefined || (compare(sort, from) >= 0 && compare(sort, to) <= 0);
  if (!isInRange) return 'The provided starting key does not match the range key predicate';
  if (compare(partition, value) === 0) return undefined;
  return sort === undefined
    ? 'The provided starting key is outside query boundaries based on provided conditions'
    : 'The query can return at most one row and cannot be restarted';
}

function bytesOf({ S = '' }: Item[string] = {}): Buffer {
  return Buffer.from(S);
}
