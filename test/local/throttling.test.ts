import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { type BusEvent, EventBus } from '../../local/eventbridge/event-bus.ts';
import { AsyncInvocations } from '../../local/lambda/async-invocations.ts';
import { ConcurrencyLimit } from '../../local/lambda/concurrency-limit.ts';
import { SchedulerEmulator } from '../../local/scheduler/emulator.ts';
import { StepFunctionsEmulator } from '../../local/step-functions/emulator.ts';
import { arn } from '../../local/template/arns.ts';
import { readAssembly } from '../../local/template/synthesize.ts';
import { Template } from '../../local/template/template.ts';
import { eventually } from '../support/client.ts';
import { serve } from '../support/local-aws.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { synthesized } from '../support/prepare.ts';
import { openQueues } from '../support/queues.ts';

const { template } = readAssembly(synthesized);
const minute = 60_000;
const root = mkdtempSync(join(tmpdir(), 'throttling-'));
afterAll(() => rmSync(root, { recursive: true }));

let directory: string;
let clock: ManualClock;
let limit: ConcurrencyLimit;
/** Ends the invocation that uses up the quota of concurrent executions. */
let endOther: () => void;
/** The names of the functions that were invoked and not throttled. */
let invoked: string[];
/** The number of all invocations. */
let attempts: number;
let opened: (() => void)[];

beforeEach(() => {
  directory = mkdtempSync(join(root, 'data-'));
  clock = new ManualClock('2026-11-21T12:00:00Z');
  limit = new ConcurrencyLimit(1);
  const other = Promise.withResolvers<void>();
  void limit.run(() => other.promise);
  endOther = other.resolve;
  [invoked, attempts, opened] = [[], 0, []];
  jest.spyOn(console, 'log').mockImplementation(() => {});
});
afterEach(() => {
  for (const stop of opened.splice(0).reverse()) stop();
  jest.restoreAllMocks();
});

async function invoke(functionArn: string): Promise<unknown> {
  attempts += 1;
  return limit.run(async () => {
    invoked.push(template.entryPoints.find(({ arn }) => arn === functionArn)?.lambda.name ?? functionArn);
    return {};
  });
}

function openInvocations() {
  const { queues, deadLetterQueues } = openQueues(template, directory, clock);
  const file = join(directory, 'invocations.sqlite');
  const invocations = new AsyncInvocations(template, file, { invoke, deadLetterQueues, clock });
  opened.push(
    () => queues.stop(),
    () => invocations.stop(),
  );
  return { invocations, deadLetterQueues };
}

const [machine] = template.ofType('AWS::StepFunctions::StateMachine');
if (!machine) throw new Error('The template has no state machine.');

/** A template with the state machine of the stack, but without the wait before the first task. */
function templateWithoutWait(): Template {
  const definition = JSON.parse(machine?.properties.DefinitionString);
  definition.States.WaitForCancellation.Seconds = 0;
  const Properties = { DefinitionString: JSON.stringify(definition) };
  return new Template(
    { Resources: { Machine: { Type: 'AWS::StepFunctions::StateMachine', Properties } } },
    'Stack',
  );
}

describe('A throttled function', () => {
  test('is invoked once for each schedule of the template when there is capacity', async () => {
    const { invocations, deadLetterQueues } = openInvocations();
    const file = join(directory, 'schedules.sqlite');
    const scheduler = new SchedulerEmulator(template, file, { invocations, deadLetterQueues, clock });
    opened.push(() => scheduler.stop());
    scheduler.resume();
    await clock.advance(2 * minute);
    expect([attempts > 2, invoked]).toEqual([true, []]);
    endOther();
    await clock.advance(2 * minute);
    expect(invoked).toHaveLength(template.ofType('AWS::Scheduler::Schedule').length);
    expect(new Set(invoked).size).toBe(invoked.length);
  });

  test('is invoked once for an event that a rule of the template matches when there is capacity', async () => {
    const bus = new EventBus(template, openInvocations());
    bus.put({
      source: 'aws.states',
      'detail-type': 'Step Functions Execution Status Change',
      detail: { status: 'FAILED', stateMachineArn: template.idOf(machine) },
    });
    await clock.advance(2 * minute);
    expect([attempts > 2, invoked]).toEqual([true, []]);
    endOther();
    await clock.advance(5 * minute);
    expect(invoked).toEqual(['FailBark']);
  });

  test.each([
    [1, ['PerformBark'], 'SUCCEEDED'],
    [10, ['PerformBark'], 'SUCCEEDED'],
    // PerformBark has 11 attempts, and FailBark has 6.
    [11, ['FailBark'], 'SUCCEEDED'],
    [17, [], 'FAILED'],
  ])('is retried by the workflow of the template: throttled %d times', async (times, expected, status) => {
    // The delays between the attempts are random.
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const ends: unknown[] = [];
    const throttling = async (functionArn: string) => {
      const result = invoke(functionArn);
      if (attempts === times) endOther();
      return result;
    };
    const dependencies = {
      invoke: throttling,
      invocations: openInvocations().invocations,
      onEnd: ({ detail }: BusEvent) => ends.push(detail.status),
      clock,
    };
    const workflows = new StepFunctionsEmulator(
      templateWithoutWait(),
      join(directory, 'executions.sqlite'),
      dependencies,
    );
    const { endpoint, configuration } = await serve('states', workflows.serve);
    const client = new SFNClient(configuration);
    opened.push(
      () => client.destroy(),
      () => endpoint.close(),
      () => workflows.stop(),
    );
    await client.send(
      new StartExecutionCommand({ stateMachineArn: arn('states', 'stateMachine:Stack-Machine') }),
    );
    await eventually(async () => {
      await clock.advance(minute);
      expect(ends).toEqual([status]);
    });
    expect(invoked).toEqual(expected);
  });
});
