import { randomUUID } from 'node:crypto';
import type { AsyncInvocations } from '../lambda/async-invocations.ts';
import { ResourceNotFoundException } from '../lambda/errors.ts';
import { report } from '../platform/activity.ts';
import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import type { DeadLetterQueues } from '../sqs/dead-letter-queues.ts';
import { account, region } from '../template/arns.ts';
import type { Target } from './definition.ts';

export interface Occurrence {
  readonly scheduleArn: string;
  readonly target: Target;
  /** Milliseconds since 1970. */
  readonly scheduledAt: number;
}

export interface DeliveryDependencies {
  readonly invocations: Pick<AsyncInvocations, 'put'>;
  readonly deadLetterQueues: DeadLetterQueues;
  readonly clock: Clock;
}

/**
 * Puts an occurrence into the queue of asynchronous invocations. An occurrence that is too old, or whose function no longer
 * exists, goes to its target's dead-letter queue instead, or is only logged if there is none.
 *
 * @throws Error if the occurrence could not be stored
 */
export function deliver(occurrence: Occurrence, dependencies: DeliveryDependencies): void {
  const { target, scheduleArn: schedule, scheduledAt } = occurrence;
  const age = dependencies.clock.now() - scheduledAt;
  if (age > target.RetryPolicy.MaximumEventAgeInSeconds * 1000) {
    fail(occurrence, 'MaximumEventAgeInSeconds', tooOld, dependencies);
    return;
  }
  const input = JSON.parse(inputOf(occurrence));
  try {
    dependencies.invocations.put(target.Arn, input);
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    fail(occurrence, 'MaximumRetryAttempts', error, dependencies);
    return;
  }
  report({ type: 'occurrence', schedule, scheduledAt: timeText(scheduledAt), input });
}

const tooOld = { name: 'EventAgeExceeded', message: 'The occurrence was too old to be delivered.' };

/** @see {@link https://docs.aws.amazon.com/scheduler/latest/UserGuide/configuring-schedule-dlq.html Dead-letter queues} */
function fail(
  occurrence: Occurrence,
  condition: string,
  { name, message }: Pick<Error, 'name' | 'message'>,
  { deadLetterQueues }: DeliveryDependencies,
): void {
  const { scheduleArn, target, scheduledAt } = occurrence;
  const queueArn = target.DeadLetterConfig?.Arn;
  if (queueArn === undefined || !deadLetterQueues.has(queueArn)) {
    log(`The occurrence of ${scheduleArn} at ${timeText(scheduledAt)} was not delivered: ${message}`);
    return;
  }
  deadLetterQueues.put(queueArn, inputOf(occurrence), {
    ERROR_CODE: name,
    ERROR_MESSAGE: message,
    EXHAUSTED_RETRY_CONDITION: condition,
    IS_PAYLOAD_TRUNCATED: 'false',
    RETRY_ATTEMPTS: '0',
    SCHEDULED_TIME: timeText(scheduledAt),
    SCHEDULE_ARN: scheduleArn,
    TARGET_ARN: target.Arn,
  });
}

/**
 * @returns JSON
 * @see {@link https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html Adding
 *   context attributes}
 */
function inputOf({ scheduleArn, target, scheduledAt }: Occurrence): string {
  const time = timeText(scheduledAt);
  const defaultEvent = {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account,
    time,
    region,
    resources: [scheduleArn],
    detail: '{}',
  };
  const input = target.Input ?? JSON.stringify(defaultEvent);
  return input.replaceAll('<aws.scheduler.scheduled-time>', time);
}

/** Returns an ISO 8601 time in whole seconds. */
function timeText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
