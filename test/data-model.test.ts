import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { createBark } from '../lambdas/domain/barks/create.ts';
import { readDog } from '../lambdas/domain/dogs/read.ts';
import { database } from '../lambdas/domain/platform/dynamodb.ts';
import { liftSuspension, suspendAddresses } from '../lambdas/domain/suspensions/suspend.ts';
import { replaceKey } from '../lambdas/domain/tokens/signing-keys.ts';
import { measuredCases } from '../tools/calls.ts';
import { scenarios, setScene } from './support/call-scenarios.ts';
import { currentContext } from './support/context.ts';
import { useDatabase } from './support/database.ts';
import { newDog, removeMailKey } from './support/dogs.ts';
import { injectFaults, reset } from './support/faults.ts';
import { skipPauses } from './support/pauses.ts';
import { withRemedy } from './support/remedy.ts';

const project = resolve(import.meta.dirname, '..');

type Item = Record<string, unknown>;

/** For each attribute of an item type: `yes` if each item has it, otherwise `no`. */
type Attributes = Record<string, 'yes' | 'no'>;

/** A section's heading contains the prefix of the key. Its list has a `?` after each attribute that some items lack. */
const page = readFileSync(join(project, 'docs/data-model.md'), 'utf8');
const documented: Record<string, Attributes> = Object.fromEntries(
  page
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [heading = ''] = section.split('\n');
      const lines = [...section.matchAll(/^- (`[^`]+`(?:, `[^`]+`)*)/gm)];
      const attributes = lines.flatMap(([, names = '']) => [...names.matchAll(/`([^`?]+)(\??)`/g)]);
      return [
        /`(\w#)/.exec(heading)?.[1] ?? heading,
        Object.fromEntries(attributes.map(([, name, mark]) => [name, mark ? 'no' : 'yes'])),
      ];
    }),
);

/** Returns the attributes of an item. Those of nested objects are returned as paths. A map whose keys are tokens is not split. */
function pathsOf(value: unknown, path: string): string[] {
  if (Array.isArray(value) && value.some((one) => typeof one === 'object'))
    return value.flatMap((one) => pathsOf(one, `${path}[]`));
  if (typeof value !== 'object' || value === null || Array.isArray(value) || path.endsWith('.jwk'))
    return [path];
  return Object.entries(value).flatMap(([name, member]) => pathsOf(member, path ? `${path}.${name}` : name));
}

function typeOf({ sk, pk = sk }: Item): string {
  return /^\w#/.exec(String(pk))?.[0] ?? 'Dog';
}

/** The attributes of each item after each write, by item type. */
const written = new Map<string, Set<string>[]>();

/** Returns the tables and keys of the items that a command writes. */
function targetsOf({ TransactItems, ...input }: Item): { TableName: string; Key: Item }[] {
  const actions = [input, ...((TransactItems as Item[] | undefined) ?? []).flatMap(Object.values)] as Item[];
  return actions.flatMap(({ TableName, Key, Item: item }) => {
    const { id, dog, sk, pk } = (item ?? {}) as Item;
    const key =
      Key ?? (item && Object.fromEntries(Object.entries(sk ? { dog, sk } : { id, pk }).filter(([, v]) => v)));
    return key ? [{ TableName: TableName as string, Key: key as Item }] : [];
  });
}

/** Makes the tests read each item after the functions write it. */
function observeWrites(): void {
  const observer = DynamoDBDocumentClient.from(new DynamoDBClient());
  const send = database.send.bind(database) as (
    command: { input: object },
    ...rest: unknown[]
  ) => Promise<unknown>;
  const observed = async (command: { input: object }, ...rest: unknown[]) => {
    const output = await send(command, ...rest);
    if (command instanceof GetCommand) return output;
    for (const target of targetsOf(command.input as Item)) {
      const { Item: item } = await observer.send(new GetCommand({ ...target, ConsistentRead: true }));
      if (item) written.set(typeOf(item), [...(written.get(typeOf(item)) ?? []), new Set(pathsOf(item, ''))]);
    }
    return output;
  };
  jest.spyOn(database, 'send').mockImplementation(observed as never);
}

useDatabase();
skipPauses();
beforeAll(async () => {
  injectFaults();
  setScene();
  observeWrites();
  for (const { function: name, case: case_, writes } of measuredCases) {
    // A purge only deletes items. The scenario of a token request writes the items that the request reads.
    if (name === 'PurgeDog' || (writes === 0 && name !== 'IssueToken')) continue;
    reset();
    const act = await scenarios[name]?.[case_]?.();
    await act?.().catch(() => {});
  }
  reset();
  await createBark(await newDog('async', ['record']), { message: 'Hello' }, currentContext());
  const key = { user: 'jane', resource: 'barks', value: 'once' } as const;
  await createBark(await newDog('sync', ['count']), { key }, currentContext());
  await replaceKey(currentContext());
  const suspended = await readDog(await newDog('sync', ['emailDog']), currentContext());
  const feedback = { addresses: ['dog@example.com'], reason: 'bounced' } as const;
  const { id: dog, incarnation } = suspended;
  for (const at of [0, 10_000_000_000]) {
    await suspendAddresses({ dog, incarnation, ...feedback, at }, currentContext());
    await liftSuspension(dog, 'dog@example.com', currentContext());
  }
  await removeMailKey(dog);
}, 120_000);

test('lists each key prefix that the domain uses', () => {
  const folder = join(project, 'lambdas/domain');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const prefixes = sources.flatMap((source) =>
    [...source.matchAll(/['`"](\w#)/g)].map(([, prefix]) => prefix),
  );
  withRemedy('Give each key prefix of lambdas/domain a section with a list in docs/data-model.md.', () => {
    expect(Object.keys(documented).sort()).toEqual([...new Set([...prefixes, 'Dog'])].sort());
  });
});

test.each(Object.keys(documented))('lists the attributes that items of this type have: %s', (type) => {
  const states = written.get(type) ?? [];
  const names = new Set(states.flatMap((state) => [...state]));
  const attributes = Object.fromEntries(
    [...names].map((name) => [name, states.every((state) => state.has(name)) ? 'yes' : 'no']),
  );
  const rows = documented[type] ?? {};
  const section = `the section "${type}" of docs/data-model.md`;
  const wrong = [...new Set([...names, ...Object.keys(rows)])].flatMap((name) => {
    const [is, row] = [attributes[name], rows[name]];
    if (is === row) return [];
    if (is === undefined)
      return `Remove \`${name}\` from ${section}, or write it in test/support/call-scenarios.ts, because no item has it.`;
    const shown = `\`${name}${is === 'yes' ? '' : '?'}\``;
    if (row === undefined) return `Add the line "- ${shown}: …" to ${section}.`;
    return `Write ${shown} in ${section}.`;
  });
  expect(wrong).toEqual([]);
});
