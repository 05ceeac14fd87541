import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { keyRange } from '../../lambdas/domain/barks/keys.ts';
import type { Effect } from '../../lambdas/domain/dogs/dog.ts';
import { putDog } from '../../lambdas/domain/dogs/put.ts';
import { database } from '../../lambdas/domain/platform/dynamodb.ts';
import { postSchedule } from '../../lambdas/domain/schedules/change.ts';
import { historyEntryBytes, type MeasuredCase, measuredCases, transitionsOfBark } from '../../tools/calls.ts';
import { installRecorder, recorded } from '../support/call-recorder.ts';
import { scenarios, setPast, setScene, withBarks } from '../support/call-scenarios.ts';
import { currentContext } from '../support/context.ts';
import { useDatabase } from '../support/database.ts';
import { pausedSeconds } from '../support/during-pauses.ts'; // @extension waiting
import { injectFaults, reset } from '../support/faults.ts';
import { synthesizedAssembly } from '../support/of-worker.ts';
import { skipPauses } from '../support/pauses.ts';
import { withRemedy } from '../support/remedy.ts';

useDatabase();
skipPauses();
beforeAll(async () => {
  injectFaults();
  installRecorder();
  await withBarks(10_000)();
}, 120_000);

beforeEach(() => {
  reset();
  setScene();
});

const { template } = synthesizedAssembly();

async function measure(one: MeasuredCase): Promise<MeasuredCase> {
  const act = await scenarios[one.function]?.[one.case]?.();
  if (!act) throw new Error('The case has no scenario in call-scenarios.ts.');
  const { result, ...counts } = await recorded(() => act().catch((error: Error) => error));
  return {
    function: one.function,
    case: one.case,
    result: resultOf(result),
    ...counts,
    ...(pausedSeconds() > 0 && { waitedSeconds: pausedSeconds() }), // @extension waiting
  };
}

function resultOf(result: unknown): number | string {
  if (result instanceof Error) return result.message;
  if (result === undefined) return 'done';
  if (typeof result === 'object' && result !== null && 'batchItemFailures' in result) return 'done';
  const { statusCode, status } = result as { statusCode?: number; status?: string };
  return statusCode ?? status ?? 'allowed';
}

const correctCalls = 'If the calls are right, correct the row in tools/calls.ts.';

async function check(one: MeasuredCase, past: number): Promise<void> {
  setPast(past);
  const measured = await measure(one);
  withRemedy(correctCalls, () => expect(measured).toEqual(one));
}

/** The functions whose case names contain the number of the dog's previous barks. */
const stateBarks = new Set(['GetDog', 'GetLastBark', 'ListBarks', 'PurgeDog']);

test.each(measuredCases)('$function, $case: $calls', (one) =>
  check(one, stateBarks.has(one.function) ? 0 : 10),
);

const makesBark = /^(BarkOnSchedule|PatchDog|PerformBark|Post(Barks|BarkSchedule|LastBark))$/;

test.each(measuredCases.filter((one) => makesBark.test(one.function)))(
  "makes the same calls for a dog's first bark: $function, $case",
  (one) => check(one, 0),
);

test('the list contains every function of the stack and every scenario', () => {
  const names = template.ofType('AWS::Lambda::Function').map(({ name }) => name);
  withRemedy(
    'Give each function a row in tools/calls.ts and a scenario in test/support/call-scenarios.ts.',
    () => {
      expect([...new Set(measuredCases.map((one) => one.function))].sort()).toEqual(names.sort());
    },
  );
  const cases = Object.entries(scenarios).flatMap(([name, ofName]) =>
    Object.keys(ofName).map((case_) => `${name}, ${case_}`),
  );
  withRemedy(
    'List the cases in tools/calls.ts and in test/support/call-scenarios.ts in the same order.',
    () => {
      expect(measuredCases.map((one) => `${one.function}, ${one.case}`)).toEqual(cases);
    },
  );
});

test('an execution has as many transitions as the costs assume, including its start and its end', () => {
  const [machine] = template.ofType('AWS::StepFunctions::StateMachine');
  const { StartAt, States } = JSON.parse(machine?.properties.DefinitionString);
  const path: string[] = [];
  for (let state = StartAt; state; state = States[state].Next) path.push(state);
  expect(2 + path.length).toBe(transitionsOfBark);
});

/** The names of attributes may be longer or shorter. */
const tolerance = 0.05;

test.each<[keyof typeof historyEntryBytes, Effect[]]>([
  ['record', ['record']],
  ['mail', ['emailDog', 'record']],
])('the history entry of a scheduled bark has the size that the costs assume: %s', async (kind, effects) => {
  const dog = `size${kind}`.padEnd(10, '-');
  const context = currentContext();
  const addresses = { email: 'dog@example.com', owner: undefined };
  await putDog(dog, { ...addresses, barkEffects: effects, barkHandling: 'sync' }, {}, context);
  await postSchedule(dog, { token: 1, next: 0, frequency: 10 }, context);
  const range = keyRange('historyEntry');
  const { Items: entries } = await database.send(
    new QueryCommand({
      TableName: process.env.BARKS_TABLE,
      KeyConditionExpression: 'dog = :dog AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':dog': dog, ':from': range.from, ':to': range.to },
      ConsistentRead: true,
    }),
  );
  const [size = 0] = entries?.map(sizeOf) ?? [];
  expect(Math.abs(size / historyEntryBytes[kind] - 1)).toBeLessThan(tolerance);
});

/** Returns the size in bytes that DynamoDB charges for an item of strings, numbers and Booleans. */
function sizeOf(item: object): number {
  const sizes = Object.entries(item).map(([name, value]) => {
    if (typeof value === 'string') return name.length + value.length;
    return name.length + 1 + (typeof value === 'number' ? Math.ceil(String(value).length / 2) : 0);
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}
