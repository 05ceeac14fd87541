import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { DescribeExecutionCommand, SFNClient } from '@aws-sdk/client-sfn';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type Activity, onActivity } from '../platform/activity.ts';
import { type LocalCloud, startCloud } from '../start.ts';
import { readAssembly } from '../template/synthesize.ts';
import { eventually } from '../testing/eventually.ts';

const logged = jest.spyOn(console, 'log').mockImplementation(() => {});

const local = resolve(import.meta.dirname, '..');
const project = join(import.meta.dirname, 'fixtures/tiny-stack');

/** The folder is in the package, so that the handlers can load the SDK. On AWS, the runtime includes the SDK. */
const build = join(local, '.build');
mkdirSync(build, { recursive: true });
const directory = mkdtempSync(join(build, 'tiny-stack-'));
let cloud: LocalCloud;
let executionArn: string;

beforeAll(async () => {
  cloud = await startCloud({ project, settings: {}, inputs: ['.'] }, { directory });
});

afterAll(async () => {
  await cloud?.close();
  rmSync(directory, { recursive: true });
  logged.mockRestore();
});

test('No file of the local cloud mentions the service in this repository', () => {
  const files = readdirSync(local, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.\w+$/.test(name) && !/^(test|\.build)(\/|$)/.test(name),
  );
  const contents = files.map((name) => readFileSync(join(local, name), 'utf8'));
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((name, i) => /dog|bark/i.test(name + contents[i]))).toEqual([]);
});

describe('The local cloud of another stack', () => {
  test('serves a route that writes', async () => {
    const response = await fetch(`${cloud.baseUrl}/notes/one`, { method: 'PUT', body: 'Remember the milk.' });
    expect(response.status).toBe(202);
    executionArn = await response.text();
    expect(executionArn).toMatch(/^arn:aws:states:/);
  });

  test('serves a route that reads', async () => {
    const response = await fetch(`${cloud.baseUrl}/notes/one`);
    expect([response.status, await response.text()]).toEqual([200, 'Remember the milk.']);
    expect((await fetch(`${cloud.baseUrl}/notes/two`)).status).toBe(404);
  });

  test('has the message in the queue', async () => {
    const { ChangesQueue: QueueUrl } = cloud.template.outputs;
    const { Messages = [] } = await new SQSClient(cloud.administrator).send(
      new ReceiveMessageCommand({ QueueUrl }),
    );
    expect(Messages.map(({ Body }) => Body)).toEqual(['one']);
  });

  test('runs the state machine, whose task changes the item', async () => {
    const describe = new DescribeExecutionCommand({ executionArn });
    await eventually(async () => {
      const { status, output } = await new SFNClient(cloud.administrator).send(describe);
      expect([status, output]).toEqual(['SUCCEEDED', '{"id":"one"}']);
    });
    expect(await itemOf('one')).toMatchObject({ reviewed: { BOOL: true } });
  });

  // A rate schedule fires for the first time when it is created.
  test('fires the schedule', async () => {
    await eventually(async () =>
      expect(await itemOf('tick')).toMatchObject({ text: { S: 'The schedule has fired.' } }),
    );
  });

  test('refuses a call without a permission in the template', async () => {
    const client = new DynamoDBClient(cloud.client);
    await expect(client.send(getItem('one'))).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });
});

test('The local cloud reloads the app on demand, even if no file has changed', async () => {
  const reloads: Activity[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = onActivity((activity) => {
    reloads.push(activity);
    resolve();
  });
  cloud.reload?.();
  await promise;
  stop();
  expect(reloads).toEqual([{ type: 'reload', changed: [], durationMs: expect.any(Number) }]);
});

describe('startCloud', () => {
  test('releases the folder and the port if the start fails', async () => {
    const { port } = new URL(cloud.baseUrl);
    const other = join(directory, 'other');
    const startOther = () =>
      startCloud({ project, settings: {}, inputs: ['.'] }, { directory: other, port: Number(port) });
    await expect(startOther()).rejects.toThrow(`Port ${port} on 127.0.0.1 is already in use.`);
    await expect(startOther()).rejects.toThrow(`Port ${port} on 127.0.0.1 is already in use.`);
  });

  const startAgain = async () => {
    await cloud.close();
    cloud = await startCloud(readAssembly(join(directory, 'cdk.out')), { directory });
  };

  test('continues with the state in the folder when it starts a template that has already been synthesized', async () => {
    const { baseUrl } = cloud;
    await startAgain();
    expect(cloud.baseUrl).toBe(baseUrl);
    const response = await fetch(`${cloud.baseUrl}/notes/one`);
    expect([response.status, await response.text()]).toEqual([200, 'Remember the milk.']);
  });

  test('uses another port if that of the previous start is in use, and keeps that one', async () => {
    const { baseUrl } = cloud;
    await cloud.close();
    const other = createServer().listen(Number(new URL(baseUrl).port), '127.0.0.1');
    await once(other, 'listening');
    await startAgain();
    const next = cloud.baseUrl;
    expect(next).not.toBe(baseUrl);
    other.close();
    await startAgain();
    expect(cloud.baseUrl).toBe(next);
  });

  test.each(['', '65536', '\x1b[2J'])(
    'uses another port if the file of the port contains %j, and logs that',
    async (content) => {
      await cloud.close();
      writeFileSync(join(directory, 'port'), content);
      logged.mockClear();
      await startAgain();
      expect(logged.mock.calls).toEqual([
        [`${join(directory, 'port')} is damaged. The service uses another port.`],
      ]);
      expect(readFileSync(join(directory, 'port'), 'utf8')).toBe(`${new URL(cloud.baseUrl).port}\n`);
    },
  );
});

async function itemOf(id: string) {
  return (await new DynamoDBClient(cloud.administrator).send(getItem(id))).Item;
}

function getItem(id: string): GetItemCommand {
  return new GetItemCommand({ TableName: cloud.template.outputs.NotesTable, Key: { id: { S: id } } });
}
