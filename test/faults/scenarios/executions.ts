import { NotStored } from '../../../lambdas/domain/barks/perform.ts';
import type { WorkflowInput } from '../../../lambdas/domain/platform/step-functions.ts';
import { handler as barkOnSchedule } from '../../../lambdas/jobs/bark-on-schedule.ts';
import { handler as failBark } from '../../../lambdas/jobs/fail-bark.ts';
import { handler as performBark } from '../../../lambdas/jobs/perform-bark.ts';
import { context } from '../../../tools/invocation.ts';
import { standingOf, started } from '../../support/faults.ts';
import { synthesizedAssembly } from '../../support/of-worker.ts';
import { occurrenceOf } from '../../support/schedules.ts';
import type { Actor } from '../operations.ts';
import type { Oracle } from '../oracle.ts';
import { again, at, retriesOfLambda, type Subject, until } from '../scenario.ts';
import { type InvocationResult, isDone, type Trial } from '../trial.ts';

/** The types of the workflow. Step Functions runs a Standard execution exactly once, and an Express execution at least once. */
export const workflowTypes = ['Standard', 'Express'] as const;
export type WorkflowType = (typeof workflowTypes)[number];

/** Returns the times at which a workflow retries `PerformBark`, with the longest delays, in seconds since the first attempt. */
export function retriesOf(type: WorkflowType): number[] {
  const { Retry: retriers } = definitionOf(type).States.PerformBark;
  const retry = retriers.at(-1);
  const times: number[] = [];
  for (let n = 0; n < retry.MaxAttempts; n++)
    times.push(
      (times.at(-1) ?? 0) + Math.min(retry.IntervalSeconds * retry.BackoffRate ** n, retry.MaxDelaySeconds),
    );
  return times;
}

/** The times at which a workflow retries `PerformBark` while the bark is not stored. After that, the execution ends. */
const retriesUntilStored = [2, 12];

function definitionOf(type: WorkflowType) {
  const machine = synthesizedAssembly()
    .template.ofType('AWS::StepFunctions::StateMachine')
    .find(({ properties }) => properties.StateMachineType === type.toUpperCase());
  return JSON.parse(machine?.properties.DefinitionString ?? '');
}

export function performing(input: WorkflowInput): Subject['act'] {
  return (limit) => performBark(input, context(1_000 + limit));
}

/**
 * Continues an execution after its first invocation of `PerformBark`, as the workflow does. If all retries fail, Lambda invokes
 * `FailBark` until it succeeds.
 *
 * @param retries the times of the retries, in seconds since the first attempt
 * @param start the time of the first attempt, in seconds since the first call of the scenario
 */
export async function continueExecution(
  input: WorkflowInput,
  first: InvocationResult,
  retries: readonly number[],
  trial: Trial,
  start = 0,
): Promise<void> {
  if (isNotStored(first)) {
    const stored = await until(
      first,
      retriesUntilStored.map((pause) => start + pause),
      performing(input),
      trial,
    );
    return isNotStored(stored) ? undefined : continueExecution(input, stored, retries, trial, start);
  }
  const pauses = retries.map((pause) => start + pause);
  const last = await until(first, pauses, performing(input), trial);
  if (isDone(last)) return;
  const fail: Subject['act'] = (limit) => failBark(input, context(1_000 + limit, 'the delivery'));
  const end = pauses.at(-1) ?? start;
  const failed = await again(fail, trial, end);
  await until(
    failed,
    retriesOfLambda.map((pause) => end + pause),
    fail,
    trial,
  );
}

function isNotStored(outcome: InvocationResult): boolean {
  return outcome.kind === 'thrown' && outcome.error instanceof NotStored;
}

/**
 * Runs an execution of a workflow. The first attempts of an Express execution happen twice at once. After both runs have ended, a third
 * one runs from the beginning.
 *
 * @param begin the time of the first invocation of `PerformBark`, in seconds since the first call of the scenario
 */
export async function runExecution(
  input: WorkflowInput,
  type: WorkflowType,
  trial: Trial,
  begin = 10,
): Promise<void> {
  const act = performing(input);
  const run = async (start: number, times = 1) => {
    const firsts = await Promise.all(Array.from({ length: times }, () => again(act, trial, start)));
    // The retries of one run must not outpace the other's first attempt, whose lease would seem to be over.
    for (const first of firsts) await continueExecution(input, first, retriesOf(type), trial, start);
  };
  if (type === 'Standard') return run(begin);
  await run(begin, 2);
  await run(begin + 5);
}

/** Sets a schedule that fires every ten minutes, and returns how its nth occurrence changes the model and is delivered. */
export async function schedule(oracle: Oracle) {
  await oracle.perform(-600, (actor) => actor.post(1, at, 10));
  const standing = standingOf(oracle.dog);
  const { scheduleId } = occurrenceOf(standing);
  const fire = (n: number) => (actor: Actor) => actor.fire({ standing, scheduleId, created: at - 600 }, n);
  const deliver =
    (n: number, delivery = `delivery ${n}`): Subject['act'] =>
    (limit) =>
      barkOnSchedule(occurrenceOf(standing, n), context(1_000 + limit, delivery));
  return { fire, deliver };
}

/** What all executions of a dog do together. */
export const performAll = (actor: Actor) => actor.endBarks('performBark');

/** Runs all workflow executions of a dog, including those without a bark. */
export async function runExecutions(dog: string, type: WorkflowType, trial: Trial): Promise<void> {
  for (const execution of started(dog)) await runExecution(execution, type, trial);
}
