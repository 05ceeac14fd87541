import { readFileSync, writeFileSync } from 'node:fs';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readOperatorFile } from '../../bin/cli/deployment.ts';
import { writeAccess } from '../../bin/start/access.ts';
import { OperatorCli } from '../../bin/start/operator-cli.ts';
import { StreamPoller } from '../../local/dynamodb/stream-poller.ts';
import { DataDirectory } from '../../local/platform/data-directory.ts';
import { keptPath } from '../../local/platform/unguessable-path.ts';
import { Mailbox } from '../../local/ses/mailbox.ts';
import { useTestCloud } from '../support/emulators.ts';

/** A file of the local cloud. */
interface TornFile {
  /** Writes the file. */
  readonly write: (directory: DataDirectory) => unknown;
  /** Reads the file as a start does. Returns the state that it contains. */
  readonly read: (directory: DataDirectory) => unknown;
}

const mail = (subject: string) => ({
  messageId: subject,
  from: 'dogs@example.com',
  destination: { to: ['rex@example.com'], cc: [], bcc: [] },
  subject,
  body: { text: 'Wuff 🐕', html: '' },
  at: 0,
});

/** Starts a poller on a stream without records. Returns the position from which it reads. */
async function positionOf(directory: DataDirectory): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const streams = {
    send: async (_: string, input: Record<string, unknown>) => {
      if ('ShardIteratorType' in input) resolve([input.ShardIteratorType, input.SequenceNumber]);
      return { StreamDescription: { Shards: [{ ShardId: 'shard' }] }, Records: [] };
    },
  };
  const database = { send: async () => ({ Table: {} }) } as unknown as DynamoDBClient;
  const mapping = {
    name: 'PurgeDog',
    functionArn: 'arn',
    tableName: 'Dogs',
    filters: [],
    batchSize: 1,
    bisects: false,
    reportsFailures: false,
    retryAttempts: 0,
    invoke: async () => null,
  };
  const poller = new StreamPoller(mapping, { database, streams, directory });
  const running = poller.run();
  const position = await promise;
  poller.stop();
  await running;
  return position;
}

const files: Record<string, TornFile> = {
  stack: {
    write: (directory) => directory.bindTo('DogService'),
    read: (directory) => directory.bindTo('DogService'),
  },
  'paths.json': {
    write: (directory) => keptPath(directory, 'inbox'),
    read: (directory) => keptPath(directory, 'inbox'),
  },
  'stream-PurgeDog-Dogs.json': {
    write: (directory) => directory.write('stream-PurgeDog-Dogs.json', { shard: '000000000000000000017' }),
    read: positionOf,
  },
  'access.json': {
    write: (directory) =>
      directory.write('access.json', { base_url: 'http://localhost:1', username: 'jane', password: 'hüsh' }),
    read: (directory) =>
      writeAccess(directory, new OperatorCli(directory.path), undefined, { base_url: 'http://localhost:1' }),
  },
  'operator.json': {
    write: (directory) => {
      process.env.DATA_DIR = directory.path;
      directory.write('operator.json', { client: { endpoint: 'http://127.0.0.1:1' }, nonce: 'é' });
    },
    // No service responds at the endpoint in the complete file.
    read: () =>
      readOperatorFile().catch((error) => {
        if (!/^The service on this machine does not respond\./.test(error.message)) throw error;
      }),
  },
};

const cloud = useTestCloud();
let directory: DataDirectory;
beforeEach(() => {
  directory = new DataDirectory(cloud.directory);
});
afterEach(() => directory.release());

describe('A start with a file that was cut off at any byte', () => {
  test.each(Object.entries(files))(
    'has the complete state, or names the file and states the consequence: %s',
    async (name, { write, read }) => {
      await write(directory);
      const file = directory.file(name);
      const content = readFileSync(file);
      const intact = await read(directory);
      expect(cloud.logged).toEqual([]);
      for (let length = 0; length < content.length; length++) {
        writeFileSync(file, content.subarray(0, length));
        cloud.logged.length = 0;
        const state = await Promise.resolve()
          .then(() => read(directory))
          .catch((error: Error) => error);
        const message = state instanceof Error ? state.message : cloud.logged.join();
        if (message === '') expect([length, state]).toEqual([length, intact]);
        else
          expect(message).toMatch(
            new RegExp(`${file}.* (damaged|incomplete|does not contain|cannot be read)`),
          );
      }
    },
  );

  test('has the mails whose lines are complete, and logs that another line is incomplete: mails.jsonl', () => {
    const file = directory.file('mails.jsonl');
    const subjects = ['three', 'two', 'one'];
    const mailbox = new Mailbox(file);
    for (const subject of subjects.toReversed()) mailbox.add(mail(subject));
    const content = readFileSync(file);
    for (let length = 0; length <= content.length; length++) {
      const remaining = content.subarray(0, length);
      writeFileSync(file, remaining);
      cloud.logged.length = 0;
      const read = new Mailbox(file).list({}).emails.map(({ subject }) => subject);
      // The last byte of a line is the newline, which adds nothing.
      const complete = `${remaining}`.split('\n').filter((line) => line.endsWith('"at":0}')).length;
      expect(read).toEqual(subjects.slice(subjects.length - complete));
      const isIncomplete = `${remaining}`.split('\n').filter(Boolean).length > complete;
      expect(cloud.logged).toEqual(
        isIncomplete ? [`${file} has 1 incomplete line, which the service skips.`] : [],
      );
    }
  });
});
