import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Options } from '../../tools/service.ts';
import { databasesOn, launch, linesOf, temporaryDirectory } from './support.ts';

/** Starts a service that fails to start. Returns its exit code and its output, without the lines that report progress. */
async function refusal(options: Options, directory = temporaryDirectory()) {
  const refused = launch(directory, options);
  const code = await refused.exited;
  const lines = linesOf(refused.output()).filter((line) => !line.endsWith(' …'));
  return { code, lines, directory };
}

const oneLine = (text: string) => ({ code: 1, lines: [expect.stringContaining(text)] });

describe('a start is refused for a port', () => {
  test('that is in use', async () => {
    const other = createServer();
    await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready));
    const { port } = other.address() as AddressInfo;
    const directory = temporaryDirectory();
    expect(await refusal({ environment: { PORT: String(port) } }, directory)).toMatchObject(
      oneLine(`Port ${port} on 127.0.0.1 is already in use.`),
    );
    expect(databasesOn(directory)).toEqual([]);
    await new Promise((closed) => other.close(closed));
  });

  test('that is not a port number', async () => {
    const ports = ['dog', '65536', '3e3', ''];
    const refusals = await Promise.all(ports.map((PORT) => refusal({ environment: { PORT } })));
    expect(refusals).toMatchObject(
      ports.map((PORT) => oneLine(`PORT must be a number from 0 to 65535, not "${PORT}"`)),
    );
  });
});

test('a start is refused for a CONCURRENT_EXECUTIONS that is not a positive whole number', async () => {
  const numbers = ['dog', '0', '1.5', ''];
  const refusals = await Promise.all(
    numbers.map((CONCURRENT_EXECUTIONS) => refusal({ environment: { CONCURRENT_EXECUTIONS } })),
  );
  expect(refusals).toMatchObject(
    numbers.map((value) => oneLine(`CONCURRENT_EXECUTIONS must be a positive whole number, not "${value}"`)),
  );
});

test('a start is refused for a folder that is a file', async () => {
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  expect(await refusal({}, file)).toMatchObject(oneLine(file));
});

describe('after a while, a start is refused', () => {
  const noDynamoDb = 'http://127.0.0.1:1';
  let wrongSettings: Awaited<ReturnType<typeof refusal>>;
  let wrongEndpoint: Awaited<ReturnType<typeof refusal>>;

  beforeAll(async () => {
    [wrongSettings, wrongEndpoint] = await Promise.all([
      refusal({ settings: ['stage=X', 'memoryMegabytes=much'] }),
      refusal({ environment: { AWS_ENDPOINT_URL_DYNAMODB: noDynamoDb } }),
    ]);
  });

  test('for invalid settings, with their valid values', () => {
    expect(wrongSettings).toMatchObject({
      code: 1,
      lines: [
        expect.stringContaining('-c name=value'),
        expect.stringMatching(/stage .* "X"\.$/),
        expect.stringMatching(/memoryMegabytes .* "much"\.$/),
      ],
    });
  });

  test('for a DynamoDB that does not respond', () => {
    expect(wrongEndpoint.code).toBe(1);
    expect(wrongEndpoint.lines[0]).toBe(`Using DynamoDB at ${noDynamoDb}.`);
  });

  test('with one line about the DynamoDB that does not respond', () => {
    expect(wrongEndpoint.lines.slice(1)).toEqual([expect.stringContaining(noDynamoDb)]);
  });

  test('and leaves no database process', () => {
    for (const { directory } of [wrongSettings, wrongEndpoint]) expect(databasesOn(directory)).toEqual([]);
  });
});

test('a start is refused in one line for a damaged file, which the line names', async () => {
  const names = ['dynamodb.sqlite', 'schedules.sqlite', 'lock'];
  const refusals = await Promise.all(
    names.map((name) => {
      const directory = temporaryDirectory();
      writeFileSync(join(directory, name), 'This text is longer than the header of a database. '.repeat(99));
      return refusal({}, directory);
    }),
  );
  expect(refusals).toMatchObject(
    refusals.map(({ directory }, i) => oneLine(`${join(directory, names[i] ?? '')} is damaged`)),
  );
  for (const { directory } of refusals) expect(databasesOn(directory)).toEqual([]);
});

test('a start is refused in one line for an unknown option', async () => {
  const command = [process.execPath, 'bin/start.ts', '--port', '4000'] as const;
  expect(await refusal({ command })).toMatchObject(oneLine('--port'));
});
