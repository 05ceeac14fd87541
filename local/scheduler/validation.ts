import { parseJson } from '../platform/json.ts';
import type { DeadLetterQueues } from '../sqs/dead-letter-queues.ts';
import { account, arn } from '../template/arns.ts';
import type { Properties } from '../template/resource.ts';
import type { Template } from '../template/template.ts';

/** A schedule as CreateSchedule takes it and GetSchedule answers it; dates are Unix seconds. */
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

/** What a client asks for, before it was looked at: it may lack anything, and its values may be any. */
export interface ScheduleRequest extends Partial<Omit<Schedule, 'Name' | 'Target'>> {
  readonly Target?: Partial<Omit<Target, 'RetryPolicy'>> & {
    readonly RetryPolicy?: Partial<Target['RetryPolicy']>;
  };
  readonly ClientToken?: string;
  readonly KmsKeyArn?: string;
}

/** An error that the service answers, with its name. */
export class SchedulerError extends Error {
  override readonly name: 'ValidationException' | 'ResourceNotFoundException' | 'ConflictException';

  constructor(name: SchedulerError['name'], message: string) {
    super(message);
    this.name = name;
  }
}

const minute = 60_000;
const units: Record<string, number> = { minute, hour: 60 * minute, day: 24 * 60 * minute };

/** How late a schedule may start, in milliseconds. */
const startGrace = 5 * minute;

/**
 * How many occurrences that were missed are looked at. No schedule has more of them within a day, and none may be
 * delivered that is older.
 */
const mostMissed = 24 * 60;

/** What a schedule may be on this machine: its group, target, role and queue are in the template. */
export class ScheduleRules {
  private readonly groupArns: ReadonlyMap<string, string>;
  private readonly functionArns: ReadonlySet<string>;
  private readonly trustPolicies: ReadonlyMap<string, Properties>;
  private readonly deadLetterQueues: DeadLetterQueues;

  constructor(template: Template, deadLetterQueues: DeadLetterQueues) {
    this.groupArns = new Map([
      ['default', arn('scheduler', 'schedule-group/default')],
      ...template
        .ofType('AWS::Scheduler::ScheduleGroup')
        .map((group) => [template.idOf(group), template.arnOf(group)] as const),
    ]);
    this.functionArns = new Set(template.entryPoints.map(({ arn }) => arn));
    this.trustPolicies = new Map(
      template
        .ofType('AWS::IAM::Role')
        .map((role) => [template.arnOf(role), role.properties.AssumeRolePolicyDocument]),
    );
    this.deadLetterQueues = deadLetterQueues;
  }

  /** @returns the schedule that is asked for, with the service's defaults. @throws SchedulerError */
  scheduleOf(Name: string, request: ScheduleRequest, now: number): Schedule {
    const { GroupName = 'default', State = 'ENABLED', ActionAfterCompletion = 'NONE' } = request;
    check(/^[0-9a-zA-Z-_.]{1,64}$/.test(Name), violation('name', Name, 'match ^[0-9a-zA-Z-_.]{1,64}$'));
    this.checkGroup(GroupName);
    check(['ENABLED', 'DISABLED'].includes(State), violation('state', State, 'be ENABLED or DISABLED'));
    check(
      ['NONE', 'DELETE'].includes(ActionAfterCompletion),
      violation('actionAfterCompletion', ActionAfterCompletion, 'be NONE or DELETE'),
    );
    check(request.KmsKeyArn === undefined, 'This machine has no keys of KMS.');
    const { ScheduleExpression, ScheduleExpressionTimezone, StartDate, EndDate } = checkedTimes(request, now);
    return {
      GroupName,
      Name,
      ScheduleExpression,
      ScheduleExpressionTimezone,
      ...(StartDate !== undefined && { StartDate }),
      ...(EndDate !== undefined && { EndDate }),
      ...(request.Description !== undefined && { Description: request.Description }),
      State,
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: this.checkedTarget(request.Target, GroupName),
      ActionAfterCompletion,
    };
  }

  checkGroup(name: string): void {
    if (!this.groupArns.has(name))
      throw new SchedulerError('ResourceNotFoundException', `Schedule group ${name} does not exist.`);
  }

  private checkedTarget(target: ScheduleRequest['Target'] = {}, groupName: string): Target {
    const { Arn, RoleArn, Input, DeadLetterConfig, RetryPolicy = {}, ...others } = target;
    const [other] = Object.keys(others);
    check(other === undefined, `The targets of this machine are functions, which take no ${other}.`);
    check(Arn !== undefined, missing('target.arn'));
    check(RoleArn !== undefined, missing('target.roleArn'));
    check(this.functionArns.has(Arn), `There is no function ${Arn} on this machine.`);
    check(
      trusts(this.trustPolicies.get(RoleArn), this.groupArns.get(groupName)),
      'The execution role you provide must allow AWS EventBridge Scheduler to assume the role.',
    );
    check(Input === undefined || parseJson(Input) !== undefined, 'The Input of a function must be JSON.');
    const queueArn = DeadLetterConfig?.Arn;
    check(
      queueArn === undefined || this.deadLetterQueues.has(queueArn),
      `There is no queue ${queueArn} on this machine.`,
    );
    return {
      Arn,
      RoleArn,
      ...(Input !== undefined && { Input }),
      ...(DeadLetterConfig && { DeadLetterConfig }),
      RetryPolicy: checkedRetryPolicy(RetryPolicy),
    };
  }
}

/** When a schedule falls due for the first time, in milliseconds; null if it never does. */
export function firstDue(schedule: Schedule, now: number): number | null {
  const { State, ScheduleExpression, StartDate = now / 1000 } = schedule;
  if (State === 'DISABLED') return null;
  return momentOf(ScheduleExpression) ?? Math.floor(StartDate) * 1000;
}

/**
 * The occurrences of a schedule from the one that is due until now, and when the next one is due. Of a great many that
 * were missed the oldest are only counted.
 */
export function occurrences(
  { ScheduleExpression, EndDate = Number.POSITIVE_INFINITY }: Schedule,
  due: number,
  now: number,
): { readonly times: readonly number[]; readonly skipped: number; readonly next: number | null } {
  const period = periodOf(ScheduleExpression);
  if (period === undefined) return { times: [due], skipped: 0, next: null };
  const end = EndDate * 1000;
  const count = Math.floor((Math.min(now, end) - due) / period) + 1;
  const skipped = Math.max(0, count - mostMissed);
  const next = due + count * period;
  return {
    times: Array.from({ length: count - skipped }, (_, i) => due + (skipped + i) * period),
    skipped,
    next: next > end ? null : next,
  };
}

/** The moment of `at(…)`, in milliseconds. */
function momentOf(expression: string): number | undefined {
  const [, text] = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)$/.exec(expression) ?? [];
  const time = Date.parse(`${text}Z`);
  // A day that its month does not have would be one of the next month.
  return new Date(time || 0).toISOString() === `${text}.000Z` ? time : undefined;
}

/** The period of `rate(…)`, in milliseconds. */
function periodOf(expression: string): number | undefined {
  const [, count, unit = ''] = /^rate\(([1-9]\d{0,7}) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const length = units[unit];
  return length && Number(count) * length;
}

function checkedTimes(
  {
    ScheduleExpression,
    ScheduleExpressionTimezone = 'UTC',
    FlexibleTimeWindow,
    StartDate,
    EndDate,
  }: ScheduleRequest,
  now: number,
) {
  check(ScheduleExpression !== undefined, missing('scheduleExpression'));
  check(
    !ScheduleExpression.startsWith('cron('),
    'This machine has no schedules by cron, but by at and rate.',
  );
  const moment = momentOf(ScheduleExpression);
  const period = periodOf(ScheduleExpression);
  check(moment ?? period, `Invalid Schedule Expression ${ScheduleExpression}.`);
  check(
    moment === undefined || moment > now,
    `Invalid Schedule Expression ${ScheduleExpression}: it is past.`,
  );
  check(
    ['UTC', 'Etc/UTC'].includes(ScheduleExpressionTimezone),
    'This machine has no ScheduleExpressionTimezone but UTC.',
  );
  check(FlexibleTimeWindow?.Mode !== undefined, missing('flexibleTimeWindow'));
  check(FlexibleTimeWindow.Mode === 'OFF', 'This machine has no FlexibleTimeWindow: its Mode must be OFF.');
  check(
    StartDate === undefined || StartDate * 1000 >= now - startGrace,
    'The StartDate you specify cannot be earlier than 5 minutes ago.',
  );
  check(
    EndDate === undefined || EndDate * 1000 > Math.max(now, (StartDate ?? 0) * 1000),
    'The EndDate you specify must be later than now, and than the StartDate.',
  );
  return { ScheduleExpression, ScheduleExpressionTimezone, StartDate, EndDate };
}

function checkedRetryPolicy({
  MaximumEventAgeInSeconds = 86_400,
  MaximumRetryAttempts = 185,
}: Partial<Target['RetryPolicy']>): Target['RetryPolicy'] {
  const checkRange = (field: string, value: number, least: number, most: number) =>
    check(
      Number.isInteger(value) && value >= least && value <= most,
      violation(`target.retryPolicy.${field}`, value, `be from ${least} to ${most}`),
    );
  checkRange('maximumEventAgeInSeconds', MaximumEventAgeInSeconds, 60, 86_400);
  checkRange('maximumRetryAttempts', MaximumRetryAttempts, 0, 185);
  return { MaximumEventAgeInSeconds, MaximumRetryAttempts };
}

/** Whether a role may be assumed by the service for the schedules of a group; its conditions must be equalities. */
function trusts(policy: Properties | undefined, groupArn: string | undefined): boolean {
  const context: Record<string, string | undefined> = {
    'aws:SourceAccount': account,
    'aws:SourceArn': groupArn,
  };
  const statements: Properties[] = policy?.Statement ?? [];
  return statements.some(
    ({ Effect, Action, Principal, Condition = {} }) =>
      Effect === 'Allow' &&
      [Action].flat().includes('sts:AssumeRole') &&
      [Principal?.Service].flat().includes('scheduler.amazonaws.com') &&
      Object.values<object>(Condition)
        .flatMap((equalities) => Object.entries(equalities))
        .every(([key, values]) => [values].flat().includes(context[key])),
  );
}

export function check(condition: unknown, message: string): asserts condition {
  if (!condition) throw new SchedulerError('ValidationException', message);
}

function missing(member: string): string {
  return `1 validation error detected: Value at '${member}' failed to satisfy constraint: Member must not be null`;
}

function violation(member: string, value: unknown, constraint: string): string {
  return `1 validation error detected: Value '${value}' at '${member}' failed to satisfy constraint: Member must ${constraint}`;
}
