import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  ScanCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDbEmulator } from '../../../local/dynamodb/emulator.ts';
import { createTables } from '../../../local/dynamodb/tables.ts';
import type { AwsEndpoint } from '../../../local/endpoint/endpoint.ts';
import { openStore } from '../../../local/platform/store.ts';
import { UserError } from '../../../local/platform/user-error.ts';
import { Template } from '../../../local/template/template.ts';
import { eventually } from '../../support/client.ts';
import { serve } from '../../support/local-aws.ts';
import { type DatabaseProcess, processesWith, startDatabaseProcess } from '../../support/local-processes.ts';

let directory: string;
let file: string;
let crashes: string[];
let database: DynamoDbEmulator;
let endpoint: AwsEndpoint;
let client: DynamoDBClient;
let others: DatabaseProcess[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'database-'));
  for (const folder of ['service', 'other']) mkdirSync(join(directory, folder));
  file = join(directory, 'service', 'dynamodb.sqlite');
  crashes = [];
  others = [];
  database = new DynamoDbEmulator(file, (message) => crashes.push(message));
  const served = await serve('dynamodb', (call) => database.serve(call));
  endpoint = served.endpoint;
  client = new DynamoDBClient(served.configuration);
});

afterEach(async () => {
  client.destroy();
  endpoint.close();
  await Promise.all([database.stop(), ...others.map((other) => other.end())]);
  rmSync(directory, { recursive: true });
  expect(processesWith(directory)).toEqual([]);
});

test.each([
  ['new', undefined],
  ['readable by other users', 0o644],
])('The files of the database can be read only by their owner, even if they were %s', async (_, mode) => {
  if (mode !== undefined) {
    openStore(file).close();
    chmodSync(file, mode);
  }
  await database.start();
  await client.send(new ListTablesCommand());
  const folder = join(directory, 'service');
  const files = readdirSync(folder);
  expect(files).toContain('dynamodb.sqlite');
  for (const name of files) expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
});

/** Returns the TCP sockets on which a process listens, by their inodes. */
function listenersOf(pid: number): string[] {
  const listening = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/net/${name}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state]) => state === '0A')
      .map((columns) => `socket:[${columns[9]}]`),
  );
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      // It has just been closed.
      return '';
    }
  });
  return open.filter((target) => listening.includes(target));
}

/** Starts the database process of another service. */
async function startOther(otherFile: string): Promise<DatabaseProcess> {
  const other = await startDatabaseProcess(otherFile);
  others.push(other);
  return other;
}

function tableOf(...keys: string[]) {
  return {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keys.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? 'HASH' : 'RANGE' })),
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: true,
    },
  };
}

const dogs = tableOf('id');
const template = new Template(
  {
    Resources: {
      Dogs: {
        ...dogs,
        Properties: { ...dogs.Properties, StreamSpecification: { StreamViewType: 'OLD_IMAGE' } },
      },
      Barks: {
        ...dogs,
        Properties: {
          ...tableOf('dog', 'sk').Properties,
          TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
        },
      },
      Role: { Type: 'AWS::IAM::Role' },
    },
  },
  'Stack',
);

const rex = { TableName: 'Stack-Dogs', Item: { id: { S: 'rex' } } };
const keyOfRex = { TableName: 'Stack-Dogs', Key: { id: { S: 'rex' } } };

describe('The tables', () => {
  beforeEach(() => database.start());

  test('are created from the template', async () => {
    await createTables(client, template);
    const { TableNames } = await client.send(new ListTablesCommand());
    expect(TableNames?.toSorted()).toEqual(['Stack-Barks', 'Stack-Dogs']);
    const tables = await Promise.all(
      ['Stack-Dogs', 'Stack-Barks'].map((TableName) => client.send(new DescribeTableCommand({ TableName }))),
    );
    expect(tables.map(({ Table }) => [Table?.KeySchema, Table?.StreamSpecification])).toEqual([
      [dogs.Properties.KeySchema, { StreamEnabled: true, StreamViewType: 'OLD_IMAGE' }],
      [tableOf('dog', 'sk').Properties.KeySchema, undefined],
    ]);
    const { TimeToLiveDescription } = await client.send(
      new DescribeTimeToLiveCommand({ TableName: 'Stack-Barks' }),
    );
    expect(TimeToLiveDescription).toEqual({ AttributeName: 'expires', TimeToLiveStatus: 'ENABLED' });
  });

  test('are unchanged if they exist, and the others are created', async () => {
    await createTables(client, new Template({ Resources: { Dogs: dogs } }, 'Stack'));
    await client.send(new PutItemCommand(rex));
    await createTables(client, template);
    expect((await client.send(new GetItemCommand(keyOfRex))).Item).toEqual(rex.Item);
    const { TableNames } = await client.send(new ListTablesCommand());
    expect(TableNames?.toSorted()).toEqual(['Stack-Barks', 'Stack-Dogs']);
  });

  test('use an index to number the records of a stream', async () => {
    await createTables(client, template);
    const store = new DatabaseSync(file, { readOnly: true });
    const numbering =
      'SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = ?';
    expect(store.prepare(`EXPLAIN QUERY PLAN ${numbering}`).get('Stack-Dogs')).toMatchObject({
      detail: expect.stringContaining('USING COVERING INDEX'),
    });
    store.close();
  });

  test.each([[['name']], [['id', 'name']]])('with other keys than %j are refused', async (keys) => {
    await createTables(client, new Template({ Resources: { Dogs: tableOf(...keys) } }, 'Stack'));
    const refused = createTables(client, template);
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(
      'The keys of the table Stack-Dogs differ from those of the template. Set DATA_DIR to another folder. If you use AWS_ENDPOINT_URL_DYNAMODB, set it to another database instead.',
    );
  });

  test('cause an error if the database does not respond', async () => {
    await database.stop();
    await expect(createTables(client, template)).rejects.toThrow('The database is not running.');
  });
});

describe('A failed condition', () => {
  const condition = {
    ConditionExpression: 'attribute_not_exists(id)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;

  beforeEach(async () => {
    await database.start();
    await createTables(client, template);
    await client.send(new PutItemCommand(rex));
  });

  test('of a write returns the item', async () => {
    const error = await client.send(new PutItemCommand({ ...rex, ...condition })).catch((one) => one);
    expect(error).toBeInstanceOf(ConditionalCheckFailedException);
    expect(error.Item).toEqual(rex.Item);
  });

  test('of a write returns no item if there is none', async () => {
    const update = {
      TableName: 'Stack-Dogs',
      Key: { id: { S: 'none' } },
      UpdateExpression: 'REMOVE age',
      ...condition,
      ConditionExpression: 'attribute_exists(id)',
    };
    const error = await client.send(new UpdateItemCommand(update)).catch((one) => one);
    expect(error).toBeInstanceOf(ConditionalCheckFailedException);
    expect(error.Item).toBeUndefined();
  });

  test('of a transaction returns a reason for each action, with the item', async () => {
    const TransactItems = [
      { Put: { ...rex, Item: { id: { S: 'lassie' } } } },
      { Put: { ...rex, ...condition } },
      {
        ConditionCheck: {
          ...keyOfRex,
          Key: { id: { S: 'none' } },
          ConditionExpression: 'attribute_exists(id)',
        },
      },
    ];
    const error = await client.send(new TransactWriteItemsCommand({ TransactItems })).catch((one) => one);
    expect(error).toBeInstanceOf(TransactionCanceledException);
    const failed = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };
    expect(error.CancellationReasons).toEqual([{ Code: 'None' }, { ...failed, Item: rex.Item }, failed]);
  });
});

test('A parameter that the database does not support causes an error', async () => {
  await database.start();
  await createTables(client, template);
  const scan = client.send(new ScanCommand({ TableName: 'Stack-Dogs', AttributesToGet: ['id'] }));
  await expect(scan).rejects.toThrow(
    'The embedded database does not support the Scan parameter AttributesToGet.',
  );
});

describe('The database', () => {
  test('is one process, which ends when the database is stopped, and keeps its data', async () => {
    await database.start();
    await createTables(client, template);
    await client.send(new PutItemCommand(rex));
    expect(processesWith(file)).toHaveLength(1);
    await database.stop();
    expect(processesWith(file)).toEqual([]);
    database = new DynamoDbEmulator(file, (message) => crashes.push(message));
    await database.start();
    expect((await client.send(new GetItemCommand(keyOfRex))).Item).toEqual(rex.Item);
    expect(crashes).toEqual([]);
  });

  test('can be stopped before its start, and twice', async () => {
    await database.stop();
    await database.stop();
    expect(processesWith(file)).toEqual([]);
  });

  test('restarts with its data each time it is killed, and reports it', async () => {
    await database.start();
    await createTables(client, template);
    await client.send(new PutItemCommand(rex));
    for (let kills = 1; kills <= 3; kills++) {
      const [pid = 0] = processesWith(file);
      process.kill(pid, 'SIGKILL');
      await respondsAgain(pid);
      expect(crashes).toEqual(Array(kills).fill('The database process died and is restarting.'));
      expect((await client.send(new GetItemCommand(keyOfRex))).Item).toEqual(rex.Item);
    }
  });

  test('is replaced after a number of calls, while reads and writes wait', async () => {
    database = new DynamoDbEmulator(file, (message) => crashes.push(message), { maxCalls: 10 });
    await database.start();
    await createTables(client, template);
    const [first] = processesWith(file);
    const names = Array.from({ length: 30 }, (_, i) => `dog-${i}`);
    const scans: Promise<unknown>[] = [];
    const puts = names.map((name) => {
      scans.push(client.send(new ScanCommand({ TableName: 'Stack-Dogs' })));
      return client.send(new PutItemCommand({ TableName: 'Stack-Dogs', Item: { id: { S: name } } }));
    });
    await Promise.all([...puts, ...scans]);
    const { Items = [] } = await client.send(new ScanCommand({ TableName: 'Stack-Dogs' }));
    expect(Items.map(({ id }) => id?.S).sort()).toEqual(names.sort());
    expect(processesWith(file)).toEqual([expect.any(Number)]);
    expect(processesWith(file)).not.toEqual([first]);
    expect(crashes).toEqual([]);
  });

  test('can be stopped while it is replaced', async () => {
    database = new DynamoDbEmulator(file, (message) => crashes.push(message), { maxCalls: 3 });
    await database.start();
    const created = createTables(client, template).catch(() => {});
    await database.stop();
    await created;
    expect(processesWith(file)).toEqual([]);
  });

  test('performs many concurrent calls', async () => {
    await database.start();
    await createTables(client, template);
    const increment = {
      ...keyOfRex,
      UpdateExpression: 'ADD age :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
      ReturnValues: 'ALL_NEW',
    } as const;
    const updates = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const { Attributes } = await client.send(new UpdateItemCommand(increment));
        const { Item } = await client.send(new GetItemCommand(keyOfRex));
        return { written: Number(Attributes?.age?.N), read: Number(Item?.age?.N) };
      }),
    );
    expect(updates.map(({ written }) => written).sort((a, b) => a - b)).toEqual(updates.map((_, i) => i + 1));
    expect(updates.filter(({ written, read }) => read < written)).toEqual([]);
  });

  test('responds to or rejects each call in progress when it is killed', async () => {
    await database.start();
    await createTables(client, template);
    const text = { S: 'wüff 🐕 '.repeat(30_000) };
    await client.send(new PutItemCommand({ ...rex, Item: { ...rex.Item, text } }));
    const reads = Array.from({ length: 20 }, () => client.send(new GetItemCommand(keyOfRex)));
    await reads[0];
    const [pid = 0] = processesWith(file);
    process.kill(pid, 'SIGKILL');
    for (const read of await Promise.allSettled(reads))
      if (read.status === 'fulfilled') expect(read.value.Item?.text).toEqual(text);
      else expect(read.reason.$metadata.httpStatusCode).toBe(503);
    await respondsAgain(pid);
    expect((await client.send(new GetItemCommand(keyOfRex))).Item?.text).toEqual(text);
  });

  test('rejects calls while it is not running', async () => {
    const call = { caller: 'Bark', service: 'dynamodb', method: 'POST', path: '/', headers: {} };
    const reported = new Promise<string>((resolve) => {
      database = new DynamoDbEmulator(file, () =>
        database.serve({ ...call, body: Buffer.from('{}') }).then(
          ({ status }) => resolve(`responded with ${status}`),
          (error: Error) => resolve(error.message),
        ),
      );
    });
    await database.start();
    const [pid = 0] = processesWith(file);
    process.kill(pid, 'SIGKILL');
    expect(await reported).toBe('The database is not running.');
    await respondsAgain(pid);
  });

  test.each(['SIGKILL', 'SIGHUP'] as const)(
    'ends when %s ends the process that started it',
    async (signal) => {
      const script = join(directory, 'parent.ts');
      const emulator = join(import.meta.dirname, '../../../local/dynamodb/emulator.ts');
      writeFileSync(
        script,
        `import { DynamoDbEmulator } from '${emulator}';
       await new DynamoDbEmulator('${file}', () => {}).start();
       console.log('started');
       setInterval(() => {}, 1000);`,
      );
      const env = { ...process.env, NODE_OPTIONS: '' };
      const parent = spawn(process.execPath, ['--no-warnings', script], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(parent.stdout, 'data');
      const [pid = 0] = processesWith(file).filter((one) => one !== parent.pid);
      expect(pid).toBeGreaterThan(0);
      parent.kill(signal);
      await once(parent, 'exit');
      await eventually(async () => expect(processesWith(file)).toEqual([]));
    },
  );

  // The sockets of another process can be listed without further tools only on Linux.
  (process.platform === 'linux' ? test : test.skip)('listens on no port', async () => {
    await database.start();
    const [pid = 0] = processesWith(file);
    expect(listenersOf(pid)).toEqual([]);
  });

  describe('whose file cannot be indexed', () => {
    const failOnce = () =>
      jest.spyOn(DatabaseSync.prototype, 'exec').mockImplementationOnce(() => {
        throw new Error('database is locked');
      });
    /** Divides the delay before the next restart by 10. */
    const shortenDelays = () => {
      const { setTimeout } = globalThis;
      jest
        .spyOn(globalThis, 'setTimeout')
        .mockImplementation(((call: () => void, delayMs = 0) =>
          setTimeout(call, delayMs / 10)) as typeof setTimeout);
    };
    afterEach(() => jest.restoreAllMocks());

    test('is killed, and its start fails', async () => {
      failOnce();
      const refused = database.start();
      await expect(refused).rejects.toThrow(UserError);
      await expect(refused).rejects.toThrow(
        `The database did not start with the file ${file}: database is locked.`,
      );
      expect(processesWith(file)).toEqual([]);
    });

    test('is killed before it is restarted', async () => {
      await database.start();
      const [pid = 0] = processesWith(file);
      failOnce();
      shortenDelays();
      process.kill(pid, 'SIGKILL');
      await eventually(async () => expect(crashes).toHaveLength(2));
      expect(processesWith(file)).toEqual([]);
      await respondsAgain(pid);
      expect(processesWith(file)).toHaveLength(1);
      expect(crashes).toEqual([
        'The database process died and is restarting.',
        `The database did not start with the file ${file}: database is locked.`,
        'The database process died and is restarting.',
      ]);
    });
  });

  test.each([
    [
      'cannot create its file',
      'no-such-folder/dynamodb.sqlite',
      (file: string) => `The database did not start with the file ${file}: ENOENT`,
    ],
    [
      'cannot use its file',
      'text',
      (file: string) => `${file} is damaged: file is not a database. Restore it`,
    ],
  ])('that %s fails to start', async (_, name, message) => {
    writeFileSync(
      join(directory, 'text'),
      'This is no database, and is longer than the head of one. '.repeat(9),
    );
    const unusable = join(directory, name);
    const refused = new DynamoDbEmulator(unusable, () => {}).start();
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(message(unusable));
  });

  test('kills the processes of a killed service on its file', async () => {
    const orphan = await startOther(file);
    await database.start();
    // The process ends before this process, which is its parent, learns of it.
    await eventually(async () => expect(orphan.isAlive()).toBe(false));
    expect(processesWith(file)).not.toContain(orphan.pid);
    expect(processesWith(file)).toHaveLength(1);
  });

  test.each([
    'other/dynamodb.sqlite',
    'service/other.sqlite',
    'service/old-dynamodb.sqlite',
    'service/dynamodb.sqlite-copy',
  ])('does not kill the database process of another file: %s', async (name) => {
    const other = await startOther(join(directory, name));
    await database.start();
    expect(other.isAlive()).toBe(true);
  });

  /** Waits until another process than this one responds. */
  async function respondsAgain(pid: number): Promise<void> {
    const deadline = Date.now() + 4_000;
    while (!(await isServedByOther(pid))) {
      if (Date.now() > deadline) throw new Error('The database does not respond again.');
      await sleep(10);
    }
    // The database is only monitored a moment after its first response.
    await sleep(50);
  }

  async function isServedByOther(pid: number): Promise<boolean> {
    const processes = processesWith(file);
    if (processes.length === 0 || processes.includes(pid)) return false;
    try {
      await client.send(new ListTablesCommand());
      return true;
    } catch {
      return false;
    }
  }
});
