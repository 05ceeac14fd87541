import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import {
  type Chain,
  DefinitionBody,
  Errors,
  JitterType,
  LogLevel,
  type LogOptions,
  StateMachine,
  StateMachineType,
  Succeed,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvocationType, LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { alarmOn, LoggedEventAlarm, period, sumOf } from './alarms.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { Encryption } from './encryption.ts';
import { type FunctionDefaults, ServiceFunction } from './service-function.ts';
import type { Settings } from './settings.ts';

/** Shorter than the lease on a claimed bark, so no other invocation acts on the bark while this one still runs. */
const performTimeout = Duration.seconds(20);

/** A Standard execution times out this long after the cancellation window, and thus before its bark's deadline. */
const timeoutAfterWindow = Duration.minutes(12);

/** Retries of `PerformBark`: fewer in an Express execution, which must end within five minutes. */
const maximumRetries = { STANDARD: 10, EXPRESS: 5 };

type WorkflowType = keyof typeof maximumRetries;

type WorkflowSettings = Pick<Settings, 'cancellationWindowSeconds' | 'workflowType'>;

/**
 * An execution waits while a client can cancel its bark, and then performs the bark or, if that fails, marks it as
 * failed. If neither succeeds, the bark counts as failed from its deadline on.
 *
 * The stack contains a state machine of each type, so that running executions complete when the setting `workflowType`
 * changes. If CloudFormation replaced a state machine, Step Functions would terminate its executions.
 */
export class BarkWorkflow extends Construct {
  private readonly performBark: ServiceFunction;
  private readonly failBark: ServiceFunction;
  /** New executions start in this one. */
  readonly stateMachine: StateMachine;
  private readonly standard: StateMachine;
  private readonly express: StateMachine;
  private readonly windowSeconds: number;

  constructor(
    scope: Construct,
    id: string,
    { cancellationWindowSeconds, workflowType }: WorkflowSettings,
    defaults: FunctionDefaults,
  ) {
    super(scope, id);
    this.windowSeconds = cancellationWindowSeconds;
    this.performBark = new ServiceFunction(this, 'PerformBark', defaults, {
      entry: 'jobs/perform-bark.ts',
      description: 'Performs an asynchronous bark',
      capabilities: {
        dogs: ['BatchGetItem', 'UpdateItem'],
        barks: ['BatchGetItem', 'DeleteItem', 'PutItem', 'UpdateItem'],
        mail: true,
      },
      timeout: performTimeout,
    });
    this.failBark = new ServiceFunction(this, 'FailBark', defaults, {
      entry: 'jobs/fail-bark.ts',
      description: 'Fails an asynchronous bark that its workflow could not complete',
      capabilities: { barks: ['DeleteItem', 'GetItem', 'UpdateItem'] },
    });
    this.standard = this.createStateMachine(this, 'STANDARD', defaults);
    this.express = this.createStateMachine(new Construct(this, 'Express'), 'EXPRESS', defaults);
    this.stateMachine = workflowType === 'EXPRESS' ? this.express : this.standard;
    this.watch(defaults.encryption);
  }

  /**
   * The permission includes the other state machine, which the previous version of the function still uses while a
   * change to the setting `workflowType` is deployed.
   */
  grantStart(lambda: ServiceFunction): void {
    lambda.addEnvironment('BARK_WORKFLOW_ARN', this.stateMachine.stateMachineArn);
    lambda.addEnvironment('CANCELLATION_WINDOW_SECONDS', String(this.windowSeconds));
    for (const machine of [this.standard, this.express]) machine.grantStartExecution(lambda);
  }

  private createStateMachine(scope: Construct, type: WorkflowType, defaults: FunctionDefaults): StateMachine {
    const machine = new StateMachine(scope, 'StateMachine', {
      stateMachineType: StateMachineType[type],
      definitionBody: DefinitionBody.fromChainable(this.definitionOf(scope, type)),
      timeout: timeoutOf(type, this.windowSeconds),
      tracingEnabled: defaults.tracing,
      ...(type === 'EXPRESS' && { logs: logsOf(scope, defaults) }),
    });
    // A running execution keeps its definition when a deployment adds or removes aliases, so the state machine needs
    // permission to invoke both the functions and their aliases.
    for (const lambda of [this.performBark, this.failBark]) lambda.grantInvoke(machine);
    return machine;
  }

  private definitionOf(scope: Construct, type: WorkflowType): Chain {
    // A request stores its bark right after it has started the execution, or fails within eight seconds. These retries
    // take longer.
    const retryUntilStored = {
      errors: ['NotStored'],
      interval: Duration.seconds(2),
      backoffRate: 5,
      maxAttempts: 2,
    };
    const retry = {
      errors: [Errors.ALL],
      interval: Duration.seconds(2),
      backoffRate: 2,
      maxDelay: Duration.minutes(1),
      jitterStrategy: JitterType.FULL,
    };
    // Lambda itself retries this asynchronous invocation, and sends failed events to the dead-letter queue.
    const failBark = new LambdaInvoke(scope, 'FailBarkTask', {
      stateName: 'FailBark',
      lambdaFunction: this.failBark.entryPoint,
      invocationType: LambdaInvocationType.EVENT,
      retryOnServiceExceptions: false,
    }).addRetry({ ...retry, maxAttempts: 3 });
    const performBark = new LambdaInvoke(scope, 'PerformBarkTask', {
      stateName: 'PerformBark',
      lambdaFunction: this.performBark.entryPoint,
      payloadResponseOnly: true,
      retryOnServiceExceptions: false,
    })
      .addRetry(retryUntilStored)
      .addRetry({ ...retry, maxAttempts: maximumRetries[type] })
      .addCatch(new Succeed(scope, 'NoBark', { stateName: 'NoBark' }), {
        errors: ['NotStored'],
        resultPath: '$.error',
      })
      .addCatch(failBark, { resultPath: '$.error' });
    const wait = new Wait(scope, 'WaitForCancellation', {
      time: WaitTime.duration(Duration.seconds(this.windowSeconds)),
    });
    return wait.next(performBark);
  }

  /**
   * A Standard execution that has failed, timed out or been stopped can no longer invoke `FailBark`, so a rule does.
   * Step Functions does not report the end of an Express execution. If one fails, its bark counts as failed from its
   * deadline on.
   */
  private watch(encryption: Encryption): void {
    const deadLetterQueue = new DeadLetterQueue(this, 'WorkflowDlq', {
      lambda: this.failBark,
      alarmDescription:
        'An asynchronous bark could be neither performed nor marked as failed. The message in the queue names the bark.',
      encryption,
    });
    this.failBark.entryPoint.configureAsyncInvoke({
      retryAttempts: 2,
      maxEventAge: Duration.hours(1),
      onFailure: new SqsDestination(deadLetterQueue),
    });
    new Rule(this, 'Ended', {
      description: 'Executions that failed, timed out or were stopped',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: {
          status: ['FAILED', 'TIMED_OUT', 'ABORTED'],
          stateMachineArn: [this.standard.stateMachineArn],
        },
      },
      targets: [
        new LambdaFunction(this.failBark.entryPoint, {
          retryAttempts: 5,
          maxEventAge: Duration.hours(1),
          deadLetterQueue,
        }),
      ],
    });
    alarmOn(this, 'ExecutionsAlarm', {
      metric: sumOf(
        [this.standard, this.express].flatMap((machine) => [
          machine.metricFailed({ period }),
          machine.metricTimedOut({ period }),
        ]),
      ),
      alarmDescription: 'Executions of the bark workflow failed or timed out.',
    });
    const barkFailed = new LoggedEventAlarm(
      this,
      'BarkFailed',
      'An asynchronous bark failed. The log entry names the bark.',
    );
    for (const lambda of [this.performBark, this.failBark]) barkFailed.watch(lambda);
  }
}

function timeoutOf(type: WorkflowType, windowSeconds: number): Duration {
  return type === 'EXPRESS' ? Duration.minutes(5) : timeoutAfterWindow.plus(Duration.seconds(windowSeconds));
}

/** Step Functions keeps no history of Express executions, so their errors are logged. */
function logsOf(scope: Construct, { logRetentionDays, encryption }: FunctionDefaults): LogOptions {
  const destination = new LogGroup(scope, 'Logs', {
    // Without this prefix, every new log group would lengthen a CloudWatch Logs resource policy, whose size is limited.
    logGroupName: `/aws/vendedlogs/states/${Stack.of(scope).stackName}`,
    retention: logRetentionDays,
    ...(encryption.key && { encryptionKey: encryption.key }),
    removalPolicy: RemovalPolicy.DESTROY,
  });
  return { destination, level: LogLevel.ERROR, includeExecutionData: true };
}
