import { arn } from '../template/arns.ts';

export interface Schedule {
  readonly GroupName: string;
  readonly Name: string;
  readonly ScheduleExpression: string;
  readonly ScheduleExpressionTimezone: string;
  /** Unix seconds. */
  readonly StartDate?: number;
  readonly Description?: string;
  readonly State: string;
  readonly FlexibleTimeWindow: { readonly Mode: string };
  readonly Target: Target;
  readonly ActionAfterCompletion: string;
}

export interface Target {
  readonly Arn: string;
  readonly RoleArn: string;
  /** JSON. */
  readonly Input?: string;
  readonly DeadLetterConfig?: { readonly Arn?: string };
  readonly RetryPolicy: { readonly MaximumEventAgeInSeconds: number; readonly MaximumRetryAttempts: number };
}

export interface ScheduleRequest extends Partial<Omit<Schedule, 'Name' | 'Target'>> {
  readonly Target?: Partial<Omit<Target, 'RetryPolicy'>> & {
    readonly RetryPolicy?: Partial<Target['RetryPolicy']>;
  };
  readonly ClientToken?: string;
}

export function scheduleArn({ GroupName, Name }: Pick<Schedule, 'GroupName' | 'Name'>): string {
  return arn('scheduler', `schedule/${GroupName}/${Name}`);
}
