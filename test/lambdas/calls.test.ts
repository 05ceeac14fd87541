import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Effect } from '../../lambdas/domain/dogs/dog.ts';
import { putDog } from '../../lambdas/domain/dogs/repository.ts';
import { database } from '../../lambdas/domain/platform/dynamodb.ts';
import { postSchedule } from '../../lambdas/domain/schedules/change.ts';
import { readAssembly } from '../../local/template/synthesize.ts';
import { type Asked, asked, noteBytes, transitionsOfBark } from '../../tools/calls.ts';
import { installRecorder, recorded } from '../support/call-recorder.ts';
import { scenarios, setPast, setScene, withBarks } from '../support/call-scenarios.ts';
import { useDatabase } from '../support/database.ts';
import { injectFaults, reset } from '../support/faults.ts';
import { synthesized } from '../support/prepare.ts';

useDatabase();
beforeAll(async () => {
  injectFaults();
  installRecorder();
  await withBarks(10_000)();
}, 120_000);

beforeEach(() => {
  reset();
  setScene();
});

const { template } = readAssembly(synthesized);

/** What a function does ask, in a case of the table. */
async function askedIn(one: Asked): Promise<Asked> {
  const act = await scenarios[one.function]?.[one.case]?.();
  if (!act) throw new Error('Nobody knows how this comes about.');
  const { result, ...counts } = await recorded(() => act().catch((error: Error) => error));
  return { function: one.function, case: one.case, answer: answerOf(result), ...counts };
}

function answerOf(result: unknown): number | string {
  if (result instanceof Error) return result.message;
  if (result === undefined) return 'done';
  return (result as { statusCode?: number }).statusCode ?? 'passes';
}

test.each(asked)('$function, $case: $calls', async (one) => {
  expect(await askedIn(one)).toEqual(one);
});

describe('Of a dog that has barked before, and among more dogs', () => {
  beforeAll(() => setPast(50));

  /** In their cases it stands how often the dog has barked. */
  const othersTell = new Set(['GetDog', 'GetLastBark', 'ListBarks', 'PurgeDog']);

  test.each(asked.filter((one) => !othersTell.has(one.function)))(
    '$function costs the same: $case',
    async (one) => {
      expect(await askedIn(one)).toEqual(one);
    },
  );
});

test('Each function of the stack is told of, and each case', () => {
  const names = template.ofType('AWS::Lambda::Function').map(({ name }) => name);
  expect([...new Set(asked.map((one) => one.function))].sort()).toEqual(names.sort());
  const cases = Object.entries(scenarios).flatMap(([name, ofName]) =>
    Object.keys(ofName).map((case_) => `${name}, ${case_}`),
  );
  expect(asked.map((one) => `${one.function}, ${one.case}`)).toEqual(cases);
});

test('An asynchronous bark pays for the start of its execution, each state on its way, and the end', () => {
  const [machine] = template.ofType('AWS::StepFunctions::StateMachine');
  const { StartAt, States } = JSON.parse(machine?.properties.DefinitionString);
  const way: string[] = [];
  for (let state = StartAt; state; state = States[state].Next) way.push(state);
  expect(2 + way.length).toBe(transitionsOfBark);
});

test.each<[keyof typeof noteBytes, Effect[]]>([
  ['record', ['record']],
  ['mail', ['emailDog', 'record']],
])(
  'The note of a scheduled bark takes as many bytes as the costs are reckoned with: %s',
  async (kind, effects) => {
    const dog = `note${kind}`.padEnd(10, '-');
    const context = { now: Date.now(), signal: AbortSignal.timeout(8_000) };
    const addresses = { email: 'dog@example.com', owner: undefined };
    await putDog(dog, { ...addresses, barkEffects: effects, barkHandling: 'sync' }, {}, context);
    await postSchedule(dog, { token: 1, next: 0, frequency: 10 }, context);
    const { Items: notes } = await database.send(
      new QueryCommand({
        TableName: process.env.BARKS_TABLE,
        KeyConditionExpression: 'dog = :dog AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':dog': dog, ':prefix': 'b#' },
      }),
    );
    expect(notes?.map(sizeOf)).toEqual([noteBytes[kind]]);
  },
);

/** The size of an item of strings, numbers and truth values, as DynamoDB reckons it. */
function sizeOf(item: object): number {
  const sizes = Object.entries(item).map(([name, value]) => {
    if (typeof value === 'string') return name.length + value.length;
    return name.length + 1 + (typeof value === 'number' ? Math.ceil(String(value).length / 2) : 0);
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}
