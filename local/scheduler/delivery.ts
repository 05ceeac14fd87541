import type { DatabaseSync } from 'node:sqlite';
import type { AsyncInvocations } from '../lambda/async-invocations.ts';
import { report } from '../platform/activity.ts';
import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { type Exhaustion, type RetryPolicy, RetryQueue } from '../platform/retry-queue.ts';
import type { DeadLetterQueues } from '../sqs/dead-letter-queues.ts';
import type { Target } from './definition.ts';
import { inputOf, type Occurrence, timeText } from './target-input.ts';

/** The emulators that receive occurrences, and the clock. */
export interface DeliveryDependencies {
  readonly invocations: Pick<AsyncInvocations, 'put'>;
  readonly deadLetterQueues: DeadLetterQueues;
  readonly clock: Clock;
}

/** The longest delay between two attempts. */
const maximumRetryDelayMs = 60 * 60 * 1000;

/**
 * Creates the queue that delivers each occurrence to its function at least once. If an occurrence reaches its maximum number
 * of attempts or its maximum age, it goes to the dead-letter queue of its target.
 */
export function createDeliveryQueue(
  store: DatabaseSync,
  { invocations, deadLetterQueues, clock }: DeliveryDependencies,
): RetryQueue<Occurrence> {
  return new RetryQueue(
    store,
    'deliveries',
    {
      policy: ({ target }) => retryPolicyOf(target),
      deliver: (occurrence, attempt) => {
        const { target, scheduleArn: schedule, scheduledAt } = occurrence;
        const input = JSON.parse(inputOf(occurrence, attempt));
        invocations.put(target.Arn, input);
        report({ type: 'occurrence', schedule, scheduledAt: timeText(scheduledAt), input });
      },
      onExhausted: (occurrence, exhaustion) => fail(occurrence, exhaustion, deadLetterQueues),
    },
    clock,
  );
}

function retryPolicyOf({ RetryPolicy }: Target): RetryPolicy {
  const { MaximumRetryAttempts, MaximumEventAgeInSeconds } = RetryPolicy;
  return {
    maximumAttempts: MaximumRetryAttempts + 1,
    maximumAgeMs: MaximumEventAgeInSeconds * 1000,
    retryDelayMs: (failures) => Math.min(1000 * 2 ** (failures - 1), maximumRetryDelayMs),
  };
}

/**
 * Sends an occurrence to the dead-letter queue of its target, or logs it if the template has no such queue.
 *
 * @see {@link https://docs.aws.amazon.com/scheduler/latest/UserGuide/configuring-schedule-dlq.html Dead-letter queues}
 */
function fail(
  occurrence: Occurrence,
  { condition, attempts, error }: Exhaustion,
  deadLetterQueues: DeadLetterQueues,
): void {
  const { scheduleArn, target, scheduledAt } = occurrence;
  const message = error?.message ?? 'The occurrence was too old to be delivered.';
  const queueArn = target.DeadLetterConfig?.Arn;
  if (queueArn === undefined || !deadLetterQueues.has(queueArn)) {
    log(`The occurrence of ${scheduleArn} at ${timeText(scheduledAt)} was not delivered: ${message}`);
    return;
  }
  deadLetterQueues.put(queueArn, inputOf(occurrence, attempts), {
    ERROR_CODE: error?.name ?? condition,
    ERROR_MESSAGE: message,
    EXHAUSTED_RETRY_CONDITION:
      condition === 'RetriesExhausted' ? 'MaximumRetryAttempts' : 'MaximumEventAgeInSeconds',
    IS_PAYLOAD_TRUNCATED: 'false',
    RETRY_ATTEMPTS: String(Math.max(0, attempts - 1)),
    SCHEDULED_TIME: timeText(scheduledAt),
    SCHEDULE_ARN: scheduleArn,
    TARGET_ARN: target.Arn,
  });
}
