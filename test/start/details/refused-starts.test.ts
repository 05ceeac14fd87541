import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Options } from '../../../tools/service.ts';
import { databasesOn, launch, linesOf, temporaryDirectory } from '../support.ts';

/** Starts a service that fails to start. Returns its exit code and its output, without the lines that report progress. */
async function refusal(options: Options, directory = temporaryDirectory()) {
  const refused = launch(directory, options);
  const code = await refused.exited;
  const lines = linesOf(refused.output()).filter((line) => !line.endsWith(' …'));
  return { code, lines, directory };
}

const oneLine = (text: string) => ({ code: 1, lines: [expect.stringContaining(text)] });

test('a start is refused for a port that is in use', async () => {
  const other = createServer();
  await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready));
  const { port } = other.address() as AddressInfo;
  const refused = await refusal({ environment: { PORT: String(port) } });
  expect(refused).toMatchObject(oneLine(`Port ${port} on 127.0.0.1 is already in use.`));
  expect(databasesOn(refused.directory)).toEqual([]);
  await new Promise((closed) => other.close(closed));
});

test.each([
  ['DynamoDB', 'AWS_ENDPOINT_URL_DYNAMODB'],
  ['Secrets Manager', 'AWS_ENDPOINT_URL_SECRETS_MANAGER'],
])('a start is refused for a %s that does not respond', async (name, variable) => {
  const url = 'http://127.0.0.1:1';
  const { code, lines } = await refusal({ environment: { [variable]: url } });
  expect([code, lines]).toEqual([1, [`Using ${name} at ${url}.`, expect.stringContaining(url)]]);
});

test('a start is refused for a folder without a synthesized stack', async () => {
  const app = temporaryDirectory();
  expect(await refusal({ app })).toMatchObject(oneLine(`${app} has no synthesized stack.`));
});
