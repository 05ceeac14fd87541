import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Options } from '../support/service.ts';
import { databasesOn, launch, linesOf, temporaryDirectory } from './support.ts';

/** A start that fails: its exit code, and the lines that it says but for that which tells of its progress. */
async function refusal(options: Options, directory = temporaryDirectory()) {
  const refused = launch(directory, options);
  const code = await refused.exited;
  const lines = linesOf(refused.output()).filter((line) => !line.endsWith(' …'));
  return { code, lines };
}

const oneLine = (text: string) => ({ code: 1, lines: [expect.stringContaining(text)] });

describe('a port', () => {
  test('that is in use', async () => {
    const other = createServer();
    await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready));
    const { port } = other.address() as AddressInfo;
    const directory = temporaryDirectory();
    expect(await refusal({ environment: { PORT: String(port) } }, directory)).toEqual(
      oneLine(`Port ${port} of 127.0.0.1 is in use.`),
    );
    expect(databasesOn(directory)).toEqual([]);
    await new Promise((closed) => other.close(closed));
  });

  test('that is none', async () => {
    const ports = ['dog', '65536', '3e3', ''];
    const refusals = await Promise.all(ports.map((PORT) => refusal({ environment: { PORT } })));
    expect(refusals).toEqual(
      ports.map((PORT) => oneLine(`PORT must be a number from 0 to 65535, not "${PORT}"`)),
    );
  });
});

test('a folder that is a file', async () => {
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  expect(await refusal({}, file)).toEqual(oneLine(file));
});

describe('a setting', () => {
  test('that is wrong is named, with what it may be', async () => {
    const directory = temporaryDirectory();
    const { code, lines } = await refusal({ settings: ['stage=X', 'memoryMegabytes=much'] }, directory);
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringContaining('-c name=value'),
      expect.stringMatching(/stage .* "X"$/),
      expect.stringMatching(/memoryMegabytes .* "much"$/),
    ]);
    expect(databasesOn(directory)).toEqual([]);
  });
});

describe('what is not foreseen', () => {
  test.failing('an option that does not exist is told in one line', async () => {
    const command = [process.execPath, 'local/start.ts', '--port', '4000'] as const;
    expect(await refusal({ command })).toEqual(oneLine('--port'));
  });

  test.failing('a DynamoDB that is not there is told in one line', async () => {
    const elsewhere = 'http://127.0.0.1:1';
    const { code, lines } = await refusal({ environment: { AWS_ENDPOINT_URL_DYNAMODB: elsewhere } });
    expect(code).toBe(1);
    expect(lines.at(-1)).toContain(elsewhere);
    expect(lines.filter((line) => line.startsWith('    at '))).toEqual([]);
  });
});
