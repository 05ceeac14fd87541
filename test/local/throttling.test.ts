import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { EventBus } from '../../local/eventbridge/event-bus.ts';
import { AsyncInvocations } from '../../local/lambda/async-invocations.ts';
import { ConcurrencyLimit } from '../../local/lambda/concurrency-limit.ts';
import { onActivity } from '../../local/platform/activity.ts';
import { SchedulerEmulator } from '../../local/scheduler/emulator.ts';
import { StepFunctionsEmulator } from '../../local/step-functions/emulator.ts';
import { arn } from '../../local/template/arns.ts';
import type { Resource } from '../../local/template/resource.ts';
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
/** Runs after each invocation. */
let onAttempt: () => void;
let opened: (() => void)[];

beforeEach(() => {
  directory = mkdtempSync(join(root, 'data-'));
  clock = new ManualClock('2026-11-21T12:00:00Z');
  limit = new ConcurrencyLimit(1);
  const other = Promise.withResolvers<void>();
  void limit.run(() => other.promise);
  endOther = other.resolve;
  [invoked, attempts, onAttempt, opened] = [[], 0, () => {}, []];
  jest.spyOn(console, 'log').mockImplementation(() => {});
});
afterEach(() => {
  for (const stop of opened.splice(0).reverse()) stop();
  jest.restoreAllMocks();
});

async function invoke(functionArn: string): Promise<unknown> {
  attempts += 1;
  const result = limit.run(async () => {
    invoked.push(template.entryPoints.find(({ arn }) => arn === functionArn)?.lambda.name ?? functionArn);
    return {};
  });
  onAttempt();
  return result;
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

type WorkflowType = 'STANDARD' | 'EXPRESS';

/** Returns the state machine of the template that has the type. */
function machineOf(type: WorkflowType): Resource {
  const machines = template.ofType('AWS::StepFunctions::StateMachine');
  const machine = machines.find(({ properties }) => properties.StateMachineType === type);
  if (!machine) throw new Error(`The template has no state machine of the type ${type}.`);
  return machine;
}

/** Returns a template with a state machine of the stack, but without the wait before the first task. */
function templateWithoutWait(type: WorkflowType): Template {
  const { DefinitionString, StateMachineType } = machineOf(type).properties;
  const definition = JSON.parse(DefinitionString);
  definition.States.WaitForCancellation.Seconds = 0;
  const Properties = { DefinitionString: JSON.stringify(definition), StateMachineType };
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
    const bus = new EventBus(template, { ...openInvocations(), logEvents: { put: () => {} } });
    bus.put({
      source: 'aws.states',
      'detail-type': 'Step Functions Execution Status Change',
      detail: { status: 'FAILED', stateMachineArn: template.idOf(machineOf('STANDARD')) },
    });
    await clock.advance(2 * minute);
    expect([attempts > 2, invoked]).toEqual([true, []]);
    endOther();
    await clock.advance(5 * minute);
    expect(invoked).toEqual(['FailBark']);
  });

  // In a Standard workflow, PerformBark has 11 attempts, and in an Express workflow six. After that, the workflow invokes FailBark
  // asynchronously, and Lambda retries for up to an hour.
  test.each<[WorkflowType, number, string]>([
    ['STANDARD', 1, 'PerformBark'],
    ['STANDARD', 10, 'PerformBark'],
    ['STANDARD', 11, 'FailBark'],
    ['STANDARD', 17, 'FailBark'],
    ['EXPRESS', 5, 'PerformBark'],
    ['EXPRESS', 6, 'FailBark'],
    ['EXPRESS', 12, 'FailBark'],
  ])('is retried by the %s workflow of the template: throttled %d times', async (type, times, expected) => {
    // The delays between the attempts are random.
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const states: string[] = [];
    opened.push(
      onActivity((activity) => {
        if (activity.type === 'workflow') states.push(activity.state);
      }),
    );
    const { invocations } = openInvocations();
    const workflows = new StepFunctionsEmulator(
      templateWithoutWait(type),
      join(directory, 'executions.sqlite'),
      { invoke, invocations, onEnd: () => {}, clock },
    );
    const { endpoint, configuration } = await serve('states', workflows.serve);
    const client = new SFNClient(configuration);
    opened.push(
      () => client.destroy(),
      () => endpoint.close(),
      () => workflows.stop(),
    );
    onAttempt = () => {
      if (attempts === times) endOther();
    };
    await client.send(
      new StartExecutionCommand({ stateMachineArn: arn('states', 'stateMachine:Stack-Machine') }),
    );
    await eventually(
      async () => {
        await clock.advance(minute / 60);
        expect([states.at(-1), invoked]).toEqual(['SUCCEEDED', [expected]]);
      },
      { interval: 0 },
    );
  });
});
