import { parseJson } from '../platform/json.ts';
import type { DeadLetterQueues } from '../sqs/dead-letter-queues.ts';
import { account, arn } from '../template/arns.ts';
import type { Properties } from '../template/resource.ts';
import type { Template } from '../template/template.ts';
import type { Schedule, ScheduleRequest, Target } from './definition.ts';
import { check, SchedulerError } from './errors.ts';
import { atTimeMs, ratePeriodMs } from './occurrences.ts';

/** How far in the past a StartDate can be. */
const startToleranceMs = 5 * 60_000;

/**
 * Validates schedules. Their groups, target functions, roles and dead-letter queues must be in the template. The group `default`
 * always exists.
 */
export class ScheduleValidator {
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

  /**
   * Returns the schedule that a request describes, with the default values of EventBridge Scheduler.
   *
   * @param now milliseconds since 1970
   * @throws SchedulerError ResourceNotFoundException if the group does not exist
   * @throws SchedulerError ValidationException if a field is invalid, or the emulator does not support it
   */
  scheduleOf(Name: string, request: ScheduleRequest, now: number): Schedule {
    const { GroupName = 'default', State = 'ENABLED', ActionAfterCompletion = 'NONE' } = request;
    check(/^[0-9a-zA-Z-_.]{1,64}$/.test(Name), violation('name', Name, 'match ^[0-9a-zA-Z-_.]{1,64}$'));
    this.checkGroup(GroupName);
    check(['ENABLED', 'DISABLED'].includes(State), violation('state', State, 'be ENABLED or DISABLED'));
    check(
      ['NONE', 'DELETE'].includes(ActionAfterCompletion),
      violation('actionAfterCompletion', ActionAfterCompletion, 'be NONE or DELETE'),
    );
    check(request.KmsKeyArn === undefined, 'The local cloud does not support KmsKeyArn.');
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

  /** @throws SchedulerError ResourceNotFoundException if the group does not exist */
  checkGroup(name: string): void {
    if (!this.groupArns.has(name))
      throw new SchedulerError('ResourceNotFoundException', `Schedule group ${name} does not exist.`);
  }

  private checkedTarget(target: ScheduleRequest['Target'] = {}, groupName: string): Target {
    const { Arn, RoleArn, Input, DeadLetterConfig, RetryPolicy = {}, ...others } = target;
    const [other] = Object.keys(others);
    check(
      other === undefined,
      `The local cloud supports only functions as targets, and such targets have no ${other}.`,
    );
    check(Arn !== undefined, missing('target.arn'));
    check(RoleArn !== undefined, missing('target.roleArn'));
    check(this.functionArns.has(Arn), `The template has no function ${Arn}.`);
    check(
      trustsScheduler(this.trustPolicies.get(RoleArn), this.groupArns.get(groupName)),
      'The execution role you provide must allow AWS EventBridge Scheduler to assume the role.',
    );
    check(
      Input === undefined || parseJson(Input) !== undefined,
      'The Input for a function target must be JSON.',
    );
    const queueArn = DeadLetterConfig?.Arn;
    check(
      queueArn === undefined || this.deadLetterQueues.has(queueArn),
      `The template has no queue ${queueArn}.`,
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
  checkExpression(ScheduleExpression, now);
  check(
    ['UTC', 'Etc/UTC'].includes(ScheduleExpressionTimezone),
    'The local cloud supports only the ScheduleExpressionTimezone UTC.',
  );
  check(FlexibleTimeWindow?.Mode !== undefined, missing('flexibleTimeWindow'));
  check(
    FlexibleTimeWindow.Mode === 'OFF',
    'The local cloud supports only a FlexibleTimeWindow with the Mode OFF.',
  );
  check(
    StartDate === undefined || StartDate * 1000 >= now - startToleranceMs,
    'The StartDate you specify cannot be earlier than 5 minutes ago.',
  );
  check(
    EndDate === undefined || EndDate * 1000 > Math.max(now, (StartDate ?? 0) * 1000),
    'The EndDate you specify must be later than the current time and the StartDate.',
  );
  return { ScheduleExpression, ScheduleExpressionTimezone, StartDate, EndDate };
}

function checkExpression(expression: string, now: number): void {
  check(!expression.startsWith('cron('), 'The local cloud supports only at and rate expressions, not cron.');
  const time = atTimeMs(expression);
  check(time ?? ratePeriodMs(expression), `Invalid Schedule Expression ${expression}.`);
  check(time === undefined || time > now, `Invalid Schedule Expression ${expression}: it is in the past.`);
}

function checkedRetryPolicy({
  MaximumEventAgeInSeconds = 86_400,
  MaximumRetryAttempts = 185,
}: Partial<Target['RetryPolicy']>): Target['RetryPolicy'] {
  const checkRange = (field: string, value: number, minimum: number, maximum: number) =>
    check(
      Number.isInteger(value) && value >= minimum && value <= maximum,
      violation(`target.retryPolicy.${field}`, value, `be from ${minimum} to ${maximum}`),
    );
  checkRange('maximumEventAgeInSeconds', MaximumEventAgeInSeconds, 60, 86_400);
  checkRange('maximumRetryAttempts', MaximumRetryAttempts, 0, 185);
  return { MaximumEventAgeInSeconds, MaximumRetryAttempts };
}

/**
 * Returns true if the trust policy of a role allows EventBridge Scheduler to assume the role for the schedules of a
 * group. Evaluates each condition as an equality.
 */
function trustsScheduler(policy: Properties | undefined, groupArn: string | undefined): boolean {
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

function missing(member: string): string {
  return `1 validation error detected: Value at '${member}' failed to satisfy constraint: Member must not be null`;
}

function violation(member: string, value: unknown, constraint: string): string {
  return `1 validation error detected: Value '${value}' at '${member}' failed to satisfy constraint: Member must ${constraint}`;
}
