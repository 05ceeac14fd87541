import { DatabaseSync, type StatementSync } from 'node:sqlite';

export type Item = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface ReadRequest {
  readonly TableName?: string;
  readonly Key?: Item;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys?: readonly Item[] }>>;
}

/** The database process handles everything larger, such as texts in keys that could exceed DynamoDB's 1024 bytes. */
const limits = { keys: 100, text: 256, response: 1024 * 1024 };

/** Reads whole items by key from the database's file, several times as fast as through the database process. */
export class ItemReader {
  private readonly store: DatabaseSync;
  /** By SQL. Preparing a statement takes several times as long as running it. */
  private readonly statements = new Map<string, StatementSync>();

  constructor(file: string) {
    this.store = new DatabaseSync(file, { readOnly: true, timeout: 3_000 });
  }

  close(): void {
    this.store.close();
  }

  /** Returns JSON, or undefined if the database process must respond, for example to an invalid request. */
  read(operation: string, request: ReadRequest): string | undefined {
    if (operation === 'GetItem' && hasOnly(request, ['TableName', 'Key', 'ConsistentRead'])) {
      const items = this.itemsAt(request.TableName, [request.Key]);
      return items && `{${items.map((item) => `"Item":${item}`)}}`;
    }
    if (operation !== 'BatchGetItem' || !hasOnly(request, ['RequestItems'])) return undefined;
    const { RequestItems = {} } = request;
    const tables = Object.entries(RequestItems).map(([name, batch]) => {
      const items = hasOnly(batch, ['Keys', 'ConsistentRead']) && this.itemsAt(name, batch.Keys ?? []);
      return items && `${JSON.stringify(name)}:[${items}]`;
    });
    const { length: keys } = Object.values(RequestItems).flatMap(({ Keys = [] }) => Keys);
    const response = `{"Responses":{${tables}},"UnprocessedKeys":{}}`;
    const fits = keys > 0 && keys <= limits.keys && response.length < limits.response;
    return fits && tables.every(Boolean) ? response : undefined;
  }

  keyOf(tableName: string, item: Item): Item {
    const names = this.keyNamesOf(tableName);
    return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
  }

  /** Returns each existing item as JSON, or undefined if the table does not exist, or a key is invalid or repeated. */
  private itemsAt(tableName = '', keys: readonly (Item | undefined)[]): string[] | undefined {
    const names = this.keyNamesOf(tableName);
    const texts = keys.map((key = {}) => (hasOnly(key, names) ? names.map((name) => key[name]?.S) : []));
    const isText = (text: unknown) => typeof text === 'string' && text !== '' && text.length <= limits.text;
    const areKeys = texts.every((key) => key.length > 0 && key.every(isText));
    if (!areKeys || keys.length === 0 || new Set(texts.map(String)).size < keys.length) return undefined;
    const statement = this.prepared(`SELECT item_json FROM "${tableName}" WHERE pk = ? AND sk = ?`);
    // The database stores a text with its type.
    const rows = texts.map(([pk, sk]) => statement.get(`S:${pk}`, sk === undefined ? '' : `S:${sk}`));
    return rows.flatMap((row) => (row ? String(row.item_json) : []));
  }

  /** Returns the partition key before the sort key. Empty if the table does not exist. */
  private keyNamesOf(tableName: string): string[] {
    const row = this.prepared('SELECT key_schema FROM _tables WHERE table_name = ?').get(tableName);
    const keys = JSON.parse(String(row?.key_schema ?? '[]')) as { AttributeName: string }[];
    return keys.map(({ AttributeName }) => AttributeName);
  }

  private prepared(sql: string): StatementSync {
    const statement = this.statements.get(sql) ?? this.store.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }
}

function hasOnly(members: object, names: readonly string[]): boolean {
  return Object.keys(members).every((name) => names.includes(name));
}
