import { type AwsResponse, jsonError } from '../endpoint/response.ts';
import { sqliteFull } from '../platform/disk-errors.ts';
import { parseJson } from '../platform/json.ts';
import type { DatabaseProcess, ToolResult } from './database-process.ts';
import type { Item, ItemReader, ReadRequest } from './item-reader.ts';

/** A write request, or an action in a transaction. */
interface Write {
  readonly TableName?: string;
  readonly Key?: Item;
  readonly Item?: Item;
  readonly ReturnValuesOnConditionCheckFailure?: string;
}

interface Request extends Write, ReadRequest {
  readonly Limit?: number;
  readonly TransactItems?: readonly Readonly<Record<string, Write>>[];
}

/** Dropped: the emulator returns no metrics, and every read is consistent. */
const ignored = new Set(['ReturnConsumedCapacity', 'ReturnItemCollectionMetrics', 'ConsistentRead']);

/** DynamoDB refuses a limit of 0, which the embedded database accepts. */
const invalidLimit =
  "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1";

/** SQLite's error message for a full disk, as the database quotes it. */
const diskIsFull = 'database or disk is full';

const conditionFailed = 'The conditional request failed';

/**
 * Performs DynamoDB and DynamoDB Streams operations: reads of whole items by key with an `ItemReader`, all others with the database
 * process's tools.
 *
 * The tools do not return the item that made a condition fail, so the `ItemReader` reads the item afterwards. Writes to the same
 * item run one after another, so that none comes between a write and that read.
 */
export class Operations {
  private readonly database: DatabaseProcess;
  private readonly reader: ItemReader;
  /** The last write in progress for each item, by the table's name and the item's key as JSON. */
  private readonly writes = new Map<string, Promise<unknown>>();

  constructor(database: DatabaseProcess, reader: ItemReader) {
    this.database = database;
    this.reader = reader;
  }

  async perform(operation: string, body: string): Promise<AwsResponse> {
    const tool = snakeCase(operation);
    const supported = this.database.tools.get(tool);
    if (!supported)
      return jsonError(
        400,
        'UnknownOperationException',
        `The embedded database does not support ${operation}.`,
      );
    const request = parseJson(body) as Request | undefined;
    if (typeof request !== 'object')
      return jsonError(400, 'SerializationException', 'The body must be a JSON object.');
    const read = this.reader.read(operation, request);
    if (read !== undefined) return response(200, read);
    const members = Object.entries(request).filter(([name]) => !ignored.has(name));
    const unsupported = members.find(([name]) => !supported.has(snakeCase(name)));
    if (unsupported)
      return validationError(
        `The embedded database does not support the ${operation} parameter ${unsupported[0]}.`,
      );
    if (request.Limit === 0) return validationError(invalidLimit);
    const parameters = {
      ...Object.fromEntries(members.map(([name, value]) => [snakeCase(name), value])),
      ...(operation === 'DescribeTable' && { raw: true }),
    };
    return this.inOrder(request, async () => {
      const result = await this.database.call(tool, parameters);
      return result.isError ? this.errorOf(request, result) : response(200, result.text);
    });
  }

  private async inOrder<Result>(request: Request, write: () => Promise<Result>): Promise<Result> {
    const { TransactItems = [{ Write: request }] } = request;
    const items = TransactItems.flatMap(Object.values).map((one) => {
      const { TableName, Key = {} } = this.idOf(one);
      return JSON.stringify([TableName, Object.entries(Key).sort()]);
    });
    const earlier = items.map((item) => this.writes.get(item));
    const written = Promise.allSettled(earlier).then(write);
    for (const item of items) this.writes.set(item, written);
    return written.finally(() => {
      for (const item of items) if (this.writes.get(item) === written) this.writes.delete(item);
    });
  }

  private errorOf(request: Request, { text }: ToolResult): AwsResponse {
    // If a parameter has the wrong type, the error is plain text.
    const { error_type: type = '', message = text } = (parseJson(text) ?? {}) as {
      error_type?: string;
      message?: string;
    };
    switch (type) {
      case 'ConditionalCheckFailedException':
        return error(type, { message: conditionFailed, ...this.oldItemOf(request) });
      case 'TransactionCanceledException':
        return error(type, {
          Message: message,
          CancellationReasons: this.reasonsOf(request, message),
        });
      case 'InternalServerError':
        if (message.includes(diskIsFull)) throw Object.assign(new Error(diskIsFull), { errcode: sqliteFull });
        return error(type, { message }, 500);
      case 'ValidationException':
        return validationError(message);
      default:
        return type.endsWith('Exception') ? error(type, { message }) : validationError(message);
    }
  }

  /** The error message lists only the reasons' codes. */
  private reasonsOf({ TransactItems = [] }: Request, message: string): object[] {
    const codes = /\[(.*)\]$/.exec(message)?.[1]?.split(', ') ?? [];
    return codes.map((Code, i) => {
      const [write = {}] = Object.values(TransactItems[i] ?? {});
      return Code === 'ConditionalCheckFailed'
        ? { Code, Message: conditionFailed, ...this.oldItemOf(write) }
        : { Code };
    });
  }

  private oldItemOf(write: Write): object {
    if (write.ReturnValuesOnConditionCheckFailure !== 'ALL_OLD') return {};
    return JSON.parse(this.reader.read('GetItem', this.idOf(write)) ?? '{}');
  }

  private idOf({ TableName = '', Key, Item = {} }: Write): ReadRequest {
    return { TableName, Key: Key ?? this.reader.keyOf(TableName, Item) };
  }
}

function snakeCase(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function error(type: string, content: object, status = 400): AwsResponse {
  return response(status, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, ...content }));
}

function validationError(message: string): AwsResponse {
  return response(400, JSON.stringify({ __type: 'com.amazon.coral.validate#ValidationException', message }));
}

function response(status: number, body: string): AwsResponse {
  return { status, headers: { 'Content-Type': 'application/x-amz-json-1.0' }, body };
}
