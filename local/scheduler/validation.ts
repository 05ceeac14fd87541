import { parseJson } from '../platform/json.ts';
import { check as checkAs, ServiceError } from '../platform/service-error.ts';
import type { DeadLetterQueues } from '../sqs/dead-letter-queues.ts';
import { account, arn } from '../template/arns.ts';
import type { Properties } from '../template/resource.ts';
import type { Template } from '../template/template.ts';
import type { Schedule, ScheduleRequest, Target } from './definition.ts';
import { atTimeMs, ratePeriodMs } from './occurrences.ts';

/** How far in the past a StartDate can be. */
const startToleranceMs = 5 * 60_000;

const defaultRetryPolicy = { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 };

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
   * @throws ServiceError ResourceNotFoundException if the group does not exist
   * @throws ServiceError ValidationException if a field is invalid, or the emulator does not support it
   */
  scheduleOf(Name: string, request: ScheduleRequest, now: number): Schedule {
    const { GroupName = 'default', ActionAfterCompletion = 'NONE', Target, ...times } = request;
    check(/^[0-9a-zA-Z-_.]{1,64}$/.test(Name), violation('name', Name, 'match ^[0-9a-zA-Z-_.]{1,64}$'));
    if (!this.groupArns.has(GroupName))
      throw new ServiceError('ResourceNotFoundException', `Schedule group ${GroupName} does not exist.`, 404);
    return {
      GroupName,
      Name,
      ScheduleExpressionTimezone: 'UTC',
      State: 'ENABLED',
      ...checkedTimes(times, now),
      Target: this.checkedTarget(Target, GroupName),
      ActionAfterCompletion,
    };
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
      RetryPolicy: { ...defaultRetryPolicy, ...RetryPolicy },
    };
  }
}

function checkedTimes(request: Omit<ScheduleRequest, 'Target'>, now: number) {
  const { ScheduleExpression, FlexibleTimeWindow, StartDate } = request;
  check(ScheduleExpression !== undefined, missing('scheduleExpression'));
  checkExpression(ScheduleExpression, now);
  check(FlexibleTimeWindow !== undefined, missing('flexibleTimeWindow'));
  for (const [name, value] of Object.entries(request))
    check(isSupported(name, value), `The local cloud does not support the ${name} ${JSON.stringify(value)}.`);
  check(
    StartDate === undefined || StartDate * 1000 >= now - startToleranceMs,
    'The StartDate you specify cannot be earlier than 5 minutes ago.',
  );
  return { ...request, ScheduleExpression, FlexibleTimeWindow };
}

function isSupported(name: string, value: unknown): boolean {
  switch (name) {
    case 'ScheduleExpression':
    case 'StartDate':
    case 'Description':
      return true;
    case 'State':
      return value === 'ENABLED';
    case 'ScheduleExpressionTimezone':
      return value === 'UTC' || value === 'Etc/UTC';
    case 'FlexibleTimeWindow':
      return (value as Schedule['FlexibleTimeWindow']).Mode === 'OFF';
    default:
      return false;
  }
}

function checkExpression(expression: string, now: number): void {
  check(!expression.startsWith('cron('), 'The local cloud supports only at and rate expressions, not cron.');
  const time = atTimeMs(expression);
  check(time ?? ratePeriodMs(expression), `Invalid Schedule Expression ${expression}.`);
  check(time === undefined || time > now, `Invalid Schedule Expression ${expression}: it is in the past.`);
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

/** @throws ServiceError ValidationException with the message if the condition is false */
function check(condition: unknown, message: string): asserts condition {
  checkAs(condition, 'ValidationException', message);
}
