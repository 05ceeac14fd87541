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
import { ScheduleRefused, Unavailable } from '../platform/errors.ts';
import { unavailableIfOutage } from '../platform/outage.ts';
import { type RequestContext, seconds } from '../platform/request-context.ts';
import type { Schedule } from './schedule.ts';

/**
 * What the scheduler tells its target. It keeps this for as long as the schedule runs, which may be years: `version`
 * tells a later release what it reads.
 */
export interface Occurrence {
  readonly version: 1;
  /** The id of the dog. */
  readonly dog: string;
  readonly incarnation: string;
  readonly scheduleId: string;
  /** The slot of the first occurrence, and when the scheduler was to deliver it, in Unix seconds. */
  readonly firstScheduledAt: number;
  readonly firstInvocationAt: number;
  /** Minutes; null for one occurrence alone. */
  readonly frequency: number | null;
  /** When the scheduler was asked, in Unix seconds. */
  readonly created: number;
  /** When this occurrence was due, as ISO 8601 has it. */
  readonly scheduledTime: string;
}

export const scheduler = new SchedulerClient({
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
});

/** How far ahead an occurrence must be when the scheduler is asked for it, in seconds: it refuses what is past. */
const minLeadSeconds = 15;

/** How often and how long the scheduler tries to hand an occurrence over, before it goes to the dead letters. */
const retryPolicy = { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 3_600 };

/**
 * Creates a schedule that wakes the target at a slot and every `frequency` minutes after it.
 *
 * @returns false if the schedule exists already
 * @throws ScheduleRefused if the scheduler does not accept the schedule
 * @throws Unavailable if the scheduler is out of reach, or reports a conflict and the schedule does not exist
 */
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
      throw new ScheduleRefused(`The scheduler refused the schedule: ${error.message}`, { cause: error });
    throw unavailableIfOutage('The scheduler', error);
  }
}

/**
 * Confirms after a ConflictException that a schedule exists. The exception has two meanings: a schedule of this name
 * exists, or another change is in progress and nothing was created.
 *
 * @throws Unavailable if the schedule does not exist, or it is unknown whether it does
 */
async function confirmSchedule(
  { dog, incarnation, scheduleId }: Occurrence,
  context: RequestContext,
): Promise<void> {
  const command = new GetScheduleCommand(nameOf(dog, scheduleId));
  const { Target } = await scheduler.send(command, { abortSignal: context.signal }).catch((cause) => {
    if (cause instanceof ResourceNotFoundException) return { Target: undefined };
    throw unavailableIfOutage('The scheduler', cause);
  });
  const found: Partial<Occurrence> = JSON.parse(Target?.Input ?? '{}');
  if (found.dog !== dog || found.incarnation !== incarnation || found.scheduleId !== scheduleId)
    throw new Unavailable('The scheduler is changing this schedule. Nothing was changed.');
}

/**
 * Has the scheduler forget a schedule; one that it does not know is forgotten already.
 *
 * @throws Unavailable
 */
export async function deleteSchedule(
  dogId: string,
  scheduleId: string,
  context: RequestContext,
): Promise<void> {
  const command = new DeleteScheduleCommand(nameOf(dogId, scheduleId));
  await scheduler.send(command, { abortSignal: context.signal }).catch((error) => {
    if (!(error instanceof ResourceNotFoundException)) throw unavailableIfOutage('The scheduler', error);
  });
}

/**
 * Has the scheduler forget a schedule that has lost its meaning. That is tidiness: what fires all the same does nothing
 * but delete itself.
 */
export async function deleteScheduleBestEffort(
  dogId: string,
  scheduleId: string,
  context: RequestContext,
): Promise<void> {
  await deleteSchedule(dogId, scheduleId, context).catch((error) => {
    console.warn(`The schedule ${dogId}.${scheduleId} stays until it fires, to no effect: ${error}`);
  });
}

/** The slot of an occurrence. The scheduler's times may differ from the slots by the lead, and by a little more. */
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
