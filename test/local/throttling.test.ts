import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { EventBus } from '../../local/eventbridge/event-bus.ts';
import { AsyncInvocations } from '../../local/lambda/async-invocations.ts';
import { ConcurrencyLimit } from '../../local/lambda/concurrency-limit.ts';
import { SchedulerEmulator } from '../../local/scheduler/emulator.ts';
import { StepFunctionsEmulator } from '../../local/step-functions/emulator.ts';
import { arn } from '../../local/template/arns.ts';
import type { Resource } from '../../local/template/resource.ts';
import { readAssembly } from '../../local/template/synthesize.ts';
import { Template } from '../../local/template/template.ts';
import { eventually } from '../support/client.ts';
import { useTestCloud } from '../support/emulators.ts';
import { synthesized } from '../support/prepare.ts';

const { template } = readAssembly(synthesized);
const minute = 60_000;
const cloud = useTestCloud('2026-11-21T12:00:00Z');

let limit: ConcurrencyLimit;
/** Ends the invocation that uses up the quota of concurrent executions. */
let endOther: () => void;
/** The names of the functions that were invoked and not throttled. */
let invoked: string[];
/** The number of all invocations. */
let attempts: number;
/** Runs after each invocation. */
let onAttempt: () => void;

beforeEach(() => {
  limit = new ConcurrencyLimit(1);
  const other = Promise.withResolvers<void>();
  void limit.run(() => other.promise);
  endOther = other.resolve;
  [invoked, attempts, onAttempt] = [[], 0, () => {}];
});
afterEach(() => jest.restoreAllMocks());

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
  const { deadLetterQueues } = cloud.queues(template);
  const dependencies = { invoke, deadLetterQueues, clock: cloud.clock };
  const file = cloud.file('invocations.sqlite');
  return { invocations: cloud.use(new AsyncInvocations(template, file, dependencies)), deadLetterQueues };
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
    const dependencies = { ...openInvocations(), clock: cloud.clock };
    cloud.use(new SchedulerEmulator(template, cloud.file('schedules.sqlite'), dependencies)).resume();
    await cloud.clock.advance(2 * minute);
    expect([attempts > 2, invoked]).toEqual([true, []]);
    endOther();
    await cloud.clock.advance(2 * minute);
    expect(invoked).toHaveLength(template.ofType('AWS::Scheduler::Schedule').length);
    expect(new Set(invoked).size).toBe(invoked.length);
  });

  test('is invoked once for an event that a rule of the template matches when there is capacity', async () => {
    const bus = new EventBus(template, {
      ...openInvocations(),
      logEvents: { put: () => {} },
    });
    bus.put({
      source: 'aws.states',
      'detail-type': 'Step Functions Execution Status Change',
      detail: { status: 'FAILED', stateMachineArn: template.idOf(machineOf('STANDARD')) },
    });
    await cloud.clock.advance(2 * minute);
    expect([attempts > 2, invoked]).toEqual([true, []]);
    endOther();
    await cloud.clock.advance(5 * minute);
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
    const reports = cloud.activities();
    const { invocations } = openInvocations();
    const dependencies = { invoke, invocations, onEnd: () => {}, clock: cloud.clock };
    const file = cloud.file('executions.sqlite');
    const workflows = cloud.use(new StepFunctionsEmulator(templateWithoutWait(type), file, dependencies));
    const client = await cloud.client(SFNClient, 'states', workflows.serve);
    onAttempt = () => {
      if (attempts === times) endOther();
    };
    await client.send(
      new StartExecutionCommand({ stateMachineArn: arn('states', 'stateMachine:Stack-Machine') }),
    );
    await eventually(
      async () => {
        await cloud.clock.advance(minute / 60);
        const states = reports.filter(({ type }) => type === 'workflow');
        expect(states.at(-1)).toMatchObject({ state: 'SUCCEEDED' });
        expect(invoked).toEqual([expected]);
      },
      { interval: 0 },
    );
  });
});
