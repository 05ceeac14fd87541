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
 * What the dogs' schedules need at EventBridge Scheduler. The schedules themselves are made by the service, and each
 * bears the names of its target, its role and its queue for as long as it runs, which may be years: so these have names
 * of their own that must never change, whatever becomes of the constructs.
 *
 * There are two nets. What the scheduler cannot hand over goes to one queue. It hands over asynchronously, so that it
 * never hears of a target that fails; what Lambda then gives up goes to another.
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
      description: 'Makes a dog bark at a slot of its schedule',
      capabilities: {
        dogs: ['GetItem', 'UpdateItem'],
        barks: ['GetItem', 'PutItem', 'UpdateItem'],
        schedules: 'delete',
        mail: true,
      },
      functionName: `dogs-${stage}-bark-on-schedule`,
      // Schedules keep the function's ARN for years. An alias would vanish with its setting, and its schedules would fail.
      hasAlias: false,
    });
    this.scheduleDlq = new DeadLetterQueue(this, 'ScheduleDlq', {
      lambda: this.target,
      alarmDescription: 'The scheduler could not hand an occurrence over; the queue tells which',
      queueName: `dogs-${stage}-schedule-dlq`,
      encryption: defaults.encryption,
    });
    this.target.configureAsyncInvoke({
      retryAttempts: 2,
      maxEventAge: Duration.hours(1),
      onFailure: new SqsDestination(
        new DeadLetterQueue(this, 'BarkDlq', {
          lambda: this.target,
          alarmDescription: 'A dog did not bark at a slot of its schedule; the queue tells which',
          queueName: `dogs-${stage}-bark-dlq`,
          encryption: defaults.encryption,
        }),
      ),
    });
    // The names of roles are unique in an account, so this one includes the region.
    this.role = this.makeRole(`dogs-${stage}-scheduler-${Aws.REGION}`, defaults.encryption);
  }

  /** What the operator's command line needs to make schedules. */
  get outputs(): Readonly<Record<string, string>> {
    return {
      ScheduleGroup: this.group.scheduleGroupName,
      ScheduleTarget: this.target.functionArn,
      ScheduleRole: this.role.roleArn,
      ScheduleDlq: this.scheduleDlq.queueArn,
    };
  }

  /** Lets a function set schedules, and delete those that they replace. */
  grantSet(lambda: ServiceFunction): void {
    this.grantDelete(lambda);
    lambda.addEnvironment('SCHEDULE_TARGET_ARN', this.target.functionArn);
    lambda.addEnvironment('SCHEDULE_ROLE_ARN', this.role.roleArn);
    lambda.addEnvironment('SCHEDULE_DLQ_ARN', this.scheduleDlq.queueArn);
    for (const statement of this.createStatements()) lambda.addToRolePolicy(statement);
  }

  /** Returns the permissions to create schedules, which pass the role to the scheduler. */
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

  grantDelete(lambda: ServiceFunction): void {
    lambda.addEnvironment('SCHEDULE_GROUP', this.group.scheduleGroupName);
    lambda.addPolicyStatement(['scheduler:DeleteSchedule'], [this.anySchedule()]);
  }

  private anySchedule(): string {
    return Stack.of(this).formatArn({
      service: 'scheduler',
      resource: 'schedule',
      resourceName: `${this.group.scheduleGroupName}/*`,
    });
  }

  /** As which the scheduler acts: only for this group, on this target and this queue. */
  private makeRole(roleName: string, encryption: Encryption): Role {
    const role = schedulerRole(this, 'Role', this.group, roleName);
    const grant = (action: string, resource: string) =>
      role.addToPolicy(new PolicyStatement({ actions: [action], resources: [resource] }));
    grant('lambda:InvokeFunction', this.target.functionArn);
    grant('sqs:SendMessage', this.scheduleDlq.queueArn);
    encryption.grantWrite(role, 'sqs');
    return role;
  }
}
