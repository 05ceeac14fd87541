import { randomUUID } from 'node:crypto';
import { account, region } from '../template/arns.ts';
import type { Target } from './definition.ts';

export interface Occurrence {
  readonly scheduleArn: string;
  /** The target that the schedule had when the emulator queued the occurrence. */
  readonly target: Target;
  /** Milliseconds since 1970. */
  readonly scheduledAt: number;
}

/**
 * Returns the input for the target, as JSON: the target's `Input` with the values of the context attributes or, if the
 * target has no `Input`, the default event of EventBridge Scheduler.
 *
 * @see {@link https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html Adding
 *   context attributes}
 */
export function inputOf({ scheduleArn, target, scheduledAt }: Occurrence): string {
  const id = randomUUID();
  const attributes: Record<string, string> = {
    'schedule-arn': scheduleArn,
    'scheduled-time': timeText(scheduledAt),
    'execution-id': id,
    'attempt-number': '1',
  };
  const defaultEvent = {
    version: '0',
    id,
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account,
    time: timeText(scheduledAt),
    region,
    resources: [scheduleArn],
    detail: '{}',
  };
  return (target.Input ?? JSON.stringify(defaultEvent)).replace(
    /<aws\.scheduler\.([a-z-]+)>/g,
    (text, name) => attributes[name] ?? text,
  );
}

/** Converts a time from milliseconds since 1970 to ISO 8601, in whole seconds. */
export function timeText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
