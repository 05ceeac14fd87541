import { arn } from '../template/arns.ts';

/** A schedule in the form of CreateSchedule and GetSchedule. Dates are in Unix seconds. */
export interface Schedule {
  readonly GroupName: string;
  readonly Name: string;
  readonly ScheduleExpression: string;
  readonly ScheduleExpressionTimezone: 'UTC' | 'Etc/UTC';
  readonly StartDate?: number;
  readonly EndDate?: number;
  readonly Description?: string;
  readonly State: 'ENABLED' | 'DISABLED';
  readonly FlexibleTimeWindow: { readonly Mode: 'OFF' };
  readonly Target: Target;
  readonly ActionAfterCompletion: 'NONE' | 'DELETE';
}

export interface Target {
  readonly Arn: string;
  readonly RoleArn: string;
  /** JSON. */
  readonly Input?: string;
  readonly DeadLetterConfig?: { readonly Arn?: string };
  readonly RetryPolicy: { readonly MaximumEventAgeInSeconds: number; readonly MaximumRetryAttempts: number };
}

/** The body of CreateSchedule or UpdateSchedule before its validation. */
export interface ScheduleRequest extends Partial<Omit<Schedule, 'Name' | 'Target'>> {
  readonly Target?: Partial<Omit<Target, 'RetryPolicy'>> & {
    readonly RetryPolicy?: Partial<Target['RetryPolicy']>;
  };
  readonly ClientToken?: string;
  readonly KmsKeyArn?: string;
}

/** Returns the ARN of a schedule. */
export function scheduleArn({ GroupName, Name }: Pick<Schedule, 'GroupName' | 'Name'>): string {
  return arn('scheduler', `schedule/${GroupName}/${Name}`);
}
