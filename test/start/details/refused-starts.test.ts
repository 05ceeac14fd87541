import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
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

test('a start is refused for a folder that is a file', async () => {
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  expect(await refusal({}, file)).toMatchObject(oneLine(file));
});

test('a start is refused for a DynamoDB that does not respond', async () => {
  const url = 'http://127.0.0.1:1';
  const { code, lines } = await refusal({ environment: { AWS_ENDPOINT_URL_DYNAMODB: url } });
  expect([code, lines]).toEqual([1, [`Using DynamoDB at ${url}.`, expect.stringContaining(url)]]);
});

test('a start is refused in one line for a folder without a synthesized stack', async () => {
  const app = temporaryDirectory();
  expect(await refusal({ app })).toMatchObject(oneLine(`${app} has no synthesized stack.`));
});

test('a start is refused in one line for a folder with other stacks than the chosen one', async () => {
  const app = temporaryDirectory();
  const stack = { type: 'aws:cloudformation:stack', properties: { templateFile: 'template.json' } };
  const artifacts = { 'DogService-one': stack, 'DogService-two': stack };
  writeFileSync(join(app, 'manifest.json'), JSON.stringify({ artifacts }));
  const others = 'only DogService-one, DogService-two. Choose one with -c stage=<name>.';
  expect(await refusal({ app })).toMatchObject(oneLine(`${app} has no stack of the stage prod, ${others}`));
  expect(await refusal({ app, settings: ['stage=three'] })).toMatchObject(
    oneLine(`${app} has no stack of the stage three, ${others}`),
  );
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
