import {
  ConflictException,
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ResourceNotFoundException,
  SchedulerClient,
  ServiceQuotaExceededException,
  ValidationException,
} from '@aws-sdk/client-scheduler';
import { environment } from '../../environment.ts';
import type { Dog } from '../dogs/dog.ts';
import { isLive, type Schedule } from '../dogs/schedule.ts';
import { Unavailable } from '../platform/errors.ts';
import { unavailableIfOutage } from '../platform/outage.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';

/** Nothing was changed. */
export class ScheduleRefused extends Error {
  override readonly name = 'ScheduleRefused';
}

/**
 * The event that EventBridge Scheduler sends to `BarkOnSchedule`. A schedule can keep its event for years, so `version` identifies
 * the format. Times are in Unix seconds.
 */
export interface Occurrence {
  readonly version: 1;
  readonly dog: string;
  readonly incarnation: string;
  readonly scheduleId: string;
  /** When the first occurrence that EventBridge Scheduler delivers is due. */
  readonly firstScheduledAt: number;
  /** When that occurrence should be delivered, which can be later than the occurrence itself. */
  readonly firstInvocationAt: number;
  /** Minutes; null for a single occurrence. */
  readonly frequency: number | null;
  readonly created: number;
  /** When this occurrence should be delivered, in ISO 8601. */
  readonly scheduledTime: string;
}

export const scheduler = new SchedulerClient({
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
});

/** EventBridge Scheduler refuses a time in the past. */
const minLeadSeconds = 15;

/** At either limit, the occurrence goes to the dead-letter queue. */
const retryPolicy = { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 3_600 };

/** Returns false if the schedule already exists. */
export async function createSchedule(
  { id, incarnation }: Pick<Dog, 'id' | 'incarnation'>,
  { scheduleId, frequency }: Schedule,
  firstScheduledAt: number,
  context: RequestContext,
): Promise<boolean> {
  const created = seconds(context.now);
  const firstInvocationAt = Math.max(firstScheduledAt, created + minLeadSeconds);
  const occurrence: Occurrence = {
    version: 1,
    dog: id,
    incarnation,
    scheduleId,
    firstScheduledAt,
    firstInvocationAt,
    frequency,
    created,
    scheduledTime: '<aws.scheduler.scheduled-time>',
  };
  const command = new CreateScheduleCommand({
    ...nameOf(id, scheduleId),
    ...timing(firstInvocationAt, frequency),
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: {
      Arn: environment('SCHEDULE_TARGET_ARN'),
      RoleArn: environment('SCHEDULE_ROLE_ARN'),
      Input: JSON.stringify(occurrence),
      RetryPolicy: retryPolicy,
      DeadLetterConfig: { Arn: environment('SCHEDULE_DLQ_ARN') },
    },
  });
  try {
    await scheduler.send(command, { abortSignal: context.signal });
    return true;
  } catch (error) {
    if (error instanceof ConflictException) {
      await confirmSchedule(occurrence, context);
      return false;
    }
    if (error instanceof ValidationException || error instanceof ServiceQuotaExceededException)
      throw new ScheduleRefused(
        `Nothing was changed, because EventBridge Scheduler refused the schedule: ${error.message}`,
        { cause: error },
      );
    throw unavailableIfOutage('EventBridge Scheduler', error);
  }
}

/** A ConflictException can also mean that another change is in progress and nothing was created. */
async function confirmSchedule(
  { dog, incarnation, scheduleId }: Occurrence,
  context: RequestContext,
): Promise<void> {
  const found = await findSchedule(dog, scheduleId, context);
  if (found?.dog !== dog || found.incarnation !== incarnation || found.scheduleId !== scheduleId)
    throw new Unavailable(
      'EventBridge Scheduler is still changing this schedule. Nothing was changed. Send the request again later.',
    );
}

export async function findSchedule(
  dogId: string,
  scheduleId: string,
  context: RequestContext,
): Promise<Partial<Occurrence> | undefined> {
  const command = new GetScheduleCommand(nameOf(dogId, scheduleId));
  try {
    const { Target } = await scheduler.send(command, { abortSignal: context.signal });
    return JSON.parse(Target?.Input ?? '{}');
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw unavailableIfOutage('EventBridge Scheduler', error);
  }
}

/** Safe to call twice. */
export async function deleteSchedule(
  dogId: string,
  scheduleId: string,
  context: RequestContext,
): Promise<void> {
  const command = new DeleteScheduleCommand(nameOf(dogId, scheduleId));
  await scheduler.send(command, { abortSignal: context.signal }).catch((error) => {
    if (!(error instanceof ResourceNotFoundException))
      throw unavailableIfOutage('EventBridge Scheduler', error);
  });
}

/** Only logs a failure, because a schedule that is not in effect is deleted by `BarkOnSchedule` when it fires. */
export async function deleteScheduleBestEffort(
  dogId: string,
  scheduleId: string,
  context: RequestContext,
): Promise<void> {
  await deleteSchedule(dogId, scheduleId, context).catch((error) => {
    console.warn(
      `The schedule ${dogId}.${scheduleId} was not deleted. The target function deletes it when it fires. Cause: ${error}`,
    );
  });
}

/** Best effort. @param former the dog before a change replaced or ended its schedule */
export async function deleteFormerSchedule(former: Dog, context: RequestContext): Promise<void> {
  if (former.schedule && isLive(former))
    await deleteScheduleBestEffort(former.id, former.schedule.scheduleId, context);
}

/** The time at which the occurrence is due, which can precede its delivery; see `minLeadSeconds`. */
export function scheduledAtOf({
  firstScheduledAt,
  firstInvocationAt,
  frequency,
  scheduledTime,
}: Occurrence): number {
  if (frequency === null) return firstScheduledAt;
  const period = frequency * 60;
  const due = seconds(Date.parse(scheduledTime));
  return firstScheduledAt + Math.max(0, Math.round((due - firstInvocationAt) / period)) * period;
}

function nameOf(dogId: string, scheduleId: string): { GroupName: string; Name: string } {
  return { GroupName: environment('SCHEDULE_GROUP'), Name: `${dogId}.${scheduleId}` };
}

function timing(
  firstInvocationAt: number,
  frequency: number | null,
): Pick<CreateScheduleCommandInput, 'ScheduleExpression' | 'StartDate' | 'ActionAfterCompletion'> {
  const first = new Date(firstInvocationAt * 1000);
  return frequency === null
    ? {
        ScheduleExpression: `at(${first.toISOString().slice(0, 19)})`,
        ActionAfterCompletion: 'DELETE',
      }
    : {
        ScheduleExpression: `rate(${frequency} ${frequency === 1 ? 'minute' : 'minutes'})`,
        StartDate: first,
      };
}
