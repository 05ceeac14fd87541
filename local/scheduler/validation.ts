import { parseJson } from '../platform/json.ts';
import { check as checkAs, ServiceError } from '../platform/service-error.ts';
import type { DeadLetterQueues } from '../sqs/dead-letter-queues.ts';
import { account, arn } from '../template/arns.ts';
import type { Properties } from '../template/resource.ts';
import type { Template } from '../template/template.ts';
import type { Schedule, ScheduleRequest, Target } from './definition.ts';
import { atTimeMs, ratePeriodMs } from './occurrences.ts';

const startToleranceMs = 5 * 60_000;

const defaults = {
  GroupName: 'default',
  ScheduleExpressionTimezone: 'UTC',
  State: 'ENABLED',
  ActionAfterCompletion: 'NONE',
};

const defaultRetryPolicy = { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 };

/** The template must contain a schedule's function, group, role and queue. The group `default` always exists. */
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
   * @param now milliseconds since 1970
   * @throws ServiceError ResourceNotFoundException if the group does not exist
   * @throws ServiceError ValidationException if a field is invalid or not supported by the emulator
   */
  scheduleOf(Name: string, request: ScheduleRequest, now: number): Schedule {
    const schedule = { ...defaults, ...request, Name };
    const { GroupName, ScheduleExpression = '', StartDate, FlexibleTimeWindow, Target = {} } = schedule;
    check(
      /^[0-9a-zA-Z-_.]{1,64}$/.test(Name),
      `1 validation error detected: Value '${Name}' at 'name' failed to satisfy constraint: Member must match ^[0-9a-zA-Z-_.]{1,64}$`,
    );
    if (!this.groupArns.has(GroupName))
      throw new ServiceError('ResourceNotFoundException', `Schedule group ${GroupName} does not exist.`, 404);
    checkSupported({ ...schedule, FlexibleTimeWindow: FlexibleTimeWindow?.Mode });
    checkExpression(ScheduleExpression, now);
    check(
      StartDate === undefined || StartDate * 1000 >= now - startToleranceMs,
      'The StartDate you specify cannot be earlier than 5 minutes ago.',
    );
    return { ...schedule, Target: this.checkedTarget(Target, GroupName) } as Schedule;
  }

  private checkedTarget(target: NonNullable<ScheduleRequest['Target']>, groupName: string): Target {
    const { Arn = '', RoleArn = '', Input, DeadLetterConfig, RetryPolicy } = target;
    checkSupported(target);
    check(this.functionArns.has(Arn), `The template has no function with the ARN "${Arn}".`);
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
    return { ...target, Arn, RoleArn, RetryPolicy: { ...defaultRetryPolicy, ...RetryPolicy } };
  }
}

const supportedFields = new Set(
  `ActionAfterCompletion Arn DeadLetterConfig Description GroupName Input Name RetryPolicy RoleArn ScheduleExpression StartDate
  Target`.split(/\s+/),
);

/** The fields of which only some values are supported. */
const supportedValues: Readonly<Record<string, readonly unknown[]>> = {
  ScheduleExpressionTimezone: ['UTC', 'Etc/UTC'],
  State: ['ENABLED'],
  FlexibleTimeWindow: ['OFF'],
};

function checkSupported(fields: object): void {
  for (const [name, value] of Object.entries(fields))
    check(
      supportedFields.has(name) || supportedValues[name]?.includes(value),
      `The local cloud does not support the ${name} ${JSON.stringify(value)}.`,
    );
}

function checkExpression(expression: string, now: number): void {
  const time = atTimeMs(expression);
  check(
    time ?? ratePeriodMs(expression),
    `Invalid Schedule Expression ${expression}. The local cloud supports only at() and rate() expressions.`,
  );
  check(time === undefined || time > now, `Invalid Schedule Expression ${expression}: it is in the past.`);
}

/** Evaluates each condition as an equality. */
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

function check(condition: unknown, message: string): asserts condition {
  checkAs(condition, 'ValidationException', message);
}
