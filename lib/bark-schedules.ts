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
 * The schedule group, the target function and the role of the dogs' schedules. Functions and the operator CLI create the
 * schedules themselves at runtime. Each schedule keeps the ARNs of its target, its role and its queue for as long as it runs,
 * which may be years. These resources therefore have explicit physical names, which must never change, even if the constructs
 * change.
 *
 * Two dead-letter queues receive failed occurrences. EventBridge Scheduler sends an occurrence to `ScheduleDlq` if it cannot
 * deliver the occurrence to Lambda. EventBridge Scheduler invokes the function asynchronously, so it does not notice if the
 * function fails. If all of Lambda's retries fail, Lambda sends the occurrence to `BarkDlq`.
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
      // Schedules keep the ARN of their target for years. If that were the ARN of an alias, the schedules would fail once the
      // alias was deleted.
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
    // The names of roles must be unique in an account, so this one includes the region.
    this.role = this.createRole(`dogs-${stage}-scheduler-${Aws.REGION}`, defaults.encryption);
  }

  /** Returns the outputs that the operator CLI needs to create schedules. */
  get outputs(): Readonly<Record<string, string>> {
    return {
      ScheduleGroup: this.group.scheduleGroupName,
      ScheduleTarget: this.target.functionArn,
      ScheduleRole: this.role.roleArn,
      ScheduleDlq: this.scheduleDlq.queueArn,
    };
  }

  /**
   * Grants a function permission to create and delete schedules in the group, and sets the environment variables that the
   * function needs for this. When a dog's schedule changes, the function creates a new schedule and deletes the former one.
   */
  grantSet(lambda: ServiceFunction): void {
    this.grantDelete(lambda);
    lambda.addEnvironment('SCHEDULE_TARGET_ARN', this.target.functionArn);
    lambda.addEnvironment('SCHEDULE_ROLE_ARN', this.role.roleArn);
    lambda.addEnvironment('SCHEDULE_DLQ_ARN', this.scheduleDlq.queueArn);
    for (const statement of this.createStatements()) lambda.addToRolePolicy(statement);
  }

  /**
   * Returns the permissions to create schedules. They include `iam:PassRole`, because the caller of CreateSchedule passes the
   * role to EventBridge Scheduler.
   */
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

  /** Grants a function permission to delete schedules, and sets the environment variable `SCHEDULE_GROUP`. */
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

  /**
   * Creates the role that EventBridge Scheduler assumes for the schedules of this group. The role permits only invoking the
   * target and sending messages to the queue.
   */
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
