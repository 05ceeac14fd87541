import { Aws, Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { Encryption } from './encryption.ts';
import { schedulerRole } from './scheduler-role.ts';
import { type FunctionDefaults, ServiceFunction } from './service-function.ts';

/**
 * Schedules keep the ARNs of the target, the role and the queue for years, so the names of these resources must never
 * change.
 *
 * `ScheduleDlq` receives the occurrences that EventBridge Scheduler cannot deliver to Lambda, `BarkDlq` those for which
 * all of Lambda's attempts fail.
 */
export class BarkSchedules extends Construct {
  readonly target: ServiceFunction;
  readonly group: ScheduleGroup;
  private readonly role: Role;
  private readonly scheduleDlq: Queue;

  constructor(
    scope: Construct,
    id: string,
    { stage, removalPolicy }: { readonly stage: string; readonly removalPolicy: RemovalPolicy },
    defaults: FunctionDefaults,
  ) {
    super(scope, id);
    this.group = new ScheduleGroup(this, 'Group', { scheduleGroupName: `dogs-${stage}`, removalPolicy });
    this.target = new ServiceFunction(this, 'BarkOnSchedule', defaults, {
      entry: 'jobs/bark-on-schedule.ts',
      description: 'Makes a dog bark for an occurrence of its schedule',
      capabilities: {
        dogs: ['GetItem', 'UpdateItem'],
        barks: ['GetItem', 'PutItem', 'UpdateItem'],
        schedules: 'delete',
        mail: true,
        limits: true,
      },
      functionName: `dogs-${stage}-bark-on-schedule`,
      // If schedules targeted an alias, deleting the alias would break them.
      hasAlias: false,
    });
    this.scheduleDlq = new DeadLetterQueue(this, 'ScheduleDlq', {
      lambda: this.target,
      alarmDescription:
        'EventBridge Scheduler could not deliver an occurrence. The occurrence is in the queue.',
      queueName: `dogs-${stage}-schedule-dlq`,
      encryption: defaults.encryption,
    });
    this.target.configureAsyncInvoke({
      retryAttempts: 2,
      maxEventAge: Duration.hours(1),
      onFailure: new SqsDestination(
        new DeadLetterQueue(this, 'BarkDlq', {
          lambda: this.target,
          alarmDescription:
            'The bark at an occurrence of a schedule, or its mail, failed. The occurrence is in the queue.',
          queueName: `dogs-${stage}-bark-dlq`,
          encryption: defaults.encryption,
        }),
      ),
    });
    // Role names must be unique across regions.
    this.role = this.createRole(`dogs-${stage}-scheduler-${Aws.REGION}`, defaults.encryption);
  }

  /** For the operator CLI. */
  get outputs(): Readonly<Record<string, string>> {
    return {
      ScheduleGroup: this.group.scheduleGroupName,
      ScheduleTarget: this.target.functionArn,
      ScheduleRole: this.role.roleArn,
      ScheduleDlq: this.scheduleDlq.queueArn,
    };
  }

  /** Also permits deleting, because a change creates a new schedule and deletes the old one. */
  grantSet(lambda: ServiceFunction): void {
    this.grantDelete(lambda);
    lambda.addEnvironment('SCHEDULE_TARGET_ARN', this.target.functionArn);
    lambda.addEnvironment('SCHEDULE_ROLE_ARN', this.role.roleArn);
    lambda.addEnvironment('SCHEDULE_DLQ_ARN', this.scheduleDlq.queueArn);
    for (const statement of this.createStatements()) lambda.addToRolePolicy(statement);
  }

  /** The caller of CreateSchedule needs `iam:PassRole`, because it passes the role to EventBridge Scheduler. */
  createStatements(): PolicyStatement[] {
    return [
      new PolicyStatement({
        actions: ['scheduler:CreateSchedule', 'scheduler:GetSchedule'],
        resources: [this.anySchedule()],
      }),
      new PolicyStatement({
        actions: ['iam:PassRole'],
        resources: [this.role.roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
      }),
    ];
  }

  deleteStatement(): PolicyStatement {
    return new PolicyStatement({
      actions: ['scheduler:DeleteSchedule'],
      resources: [this.anySchedule()],
    });
  }

  grantDelete(lambda: ServiceFunction): void {
    lambda.addEnvironment('SCHEDULE_GROUP', this.group.scheduleGroupName);
    lambda.addToRolePolicy(this.deleteStatement());
  }

  private anySchedule(): string {
    return Stack.of(this).formatArn({
      service: 'scheduler',
      resource: 'schedule',
      resourceName: `${this.group.scheduleGroupName}/*`,
    });
  }

  private createRole(roleName: string, encryption: Encryption): Role {
    const role = schedulerRole(this, 'Role', this.group, roleName);
    const grant = (action: string, resource: string) =>
      role.addToPolicy(new PolicyStatement({ actions: [action], resources: [resource] }));
    grant('lambda:InvokeFunction', this.target.functionArn);
    grant('sqs:SendMessage', this.scheduleDlq.queueArn);
    encryption.grantWrite(role, 'sqs');
    return role;
  }
}
