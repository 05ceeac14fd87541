import { Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import {
  DefinitionBody,
  Errors,
  JitterType,
  StateMachine,
  StateMachineType,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { alarmOn, LoggedEventAlarm, period, sumOf } from './alarms.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { Encryption } from './encryption.ts';
import { type FunctionDefaults, ServiceFunction } from './service-function.ts';

/**
 * The timeout of the function that performs barks. An invocation of this function claims a bark before it performs the bark. The
 * lease of the claim is longer than this timeout, so that no other invocation can act on the bark while the first one still runs.
 */
const performTimeout = Duration.seconds(30);

/** The longest time that an execution may take after the cancellation window. The deadline of its bark is later. */
const timeoutAfterWindow = Duration.minutes(12);

/**
 * The workflow of asynchronous barks. Each execution waits while a client can cancel its bark, and then performs the bark. If the
 * execution cannot perform the bark, it marks the bark as failed. An execution may also end before it does either. Each bark
 * therefore has a deadline, after which the bark counts as failed.
 */
export class BarkWorkflow extends Construct {
  readonly performBark: ServiceFunction;
  readonly failBark: ServiceFunction;
  readonly stateMachine: StateMachine;
  private readonly windowSeconds: number;

  constructor(scope: Construct, id: string, windowSeconds: number, defaults: FunctionDefaults) {
    super(scope, id);
    this.windowSeconds = windowSeconds;
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
    this.stateMachine = this.defineStateMachine(defaults.tracing);
    this.watch(defaults.encryption);
  }

  /**
   * Grants a function permission to start executions, and sets the environment variables `BARK_WORKFLOW_ARN` and
   * `CANCELLATION_WINDOW_SECONDS`.
   */
  grantStart(lambda: ServiceFunction): void {
    lambda.addEnvironment('BARK_WORKFLOW_ARN', this.stateMachine.stateMachineArn);
    lambda.addEnvironment('CANCELLATION_WINDOW_SECONDS', String(this.windowSeconds));
    this.stateMachine.grantStartExecution(lambda);
  }

  /** Grants a function permission to stop executions, and sets the environment variable `BARK_WORKFLOW_ARN`. */
  grantStop(lambda: ServiceFunction): void {
    lambda.addEnvironment('BARK_WORKFLOW_ARN', this.stateMachine.stateMachineArn);
    this.stateMachine.grantExecution(lambda, 'states:StopExecution');
  }

  private defineStateMachine(tracingEnabled: boolean): StateMachine {
    const retry = {
      errors: [Errors.ALL],
      interval: Duration.seconds(2),
      backoffRate: 2,
      maxDelay: Duration.minutes(1),
      jitterStrategy: JitterType.FULL,
    };
    const failBark = new LambdaInvoke(this, 'FailBarkTask', {
      stateName: 'FailBark',
      lambdaFunction: this.failBark.entryPoint,
      payloadResponseOnly: true,
      retryOnServiceExceptions: false,
    }).addRetry({ ...retry, maxAttempts: 5 });
    const performBark = new LambdaInvoke(this, 'PerformBarkTask', {
      stateName: 'PerformBark',
      lambdaFunction: this.performBark.entryPoint,
      payloadResponseOnly: true,
      retryOnServiceExceptions: false,
    })
      .addRetry({ ...retry, maxAttempts: 10 })
      .addCatch(failBark, { resultPath: '$.error' });
    const wait = new Wait(this, 'WaitForCancellation', {
      time: WaitTime.duration(Duration.seconds(this.windowSeconds)),
    });
    const machine = new StateMachine(this, 'StateMachine', {
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromChainable(wait.next(performBark)),
      timeout: timeoutAfterWindow.plus(Duration.seconds(this.windowSeconds)),
      tracingEnabled,
    });
    // An execution keeps the definition that it started with. Depending on the setting `releases` at that time, it invokes the
    // functions or their aliases. The state machine therefore needs permission to invoke both.
    for (const lambda of [this.performBark, this.failBark]) lambda.grantInvoke(machine);
    return machine;
  }

  /**
   * Creates the rule that invokes `FailBark` when an execution fails, times out or is stopped. Such an execution has ended, so it
   * can no longer invoke `FailBark` itself. If an execution was stopped because a client cancelled its bark, `FailBark` does
   * nothing. If the rule cannot invoke `FailBark`, or if `FailBark` fails, the event goes to the dead-letter queue. This method
   * also creates the alarms.
   */
  private watch(encryption: Encryption): void {
    const deadLetterQueue = new DeadLetterQueue(this, 'WorkflowDlq', {
      lambda: this.failBark,
      alarmDescription:
        'An asynchronous bark could be neither performed nor marked as failed. The message in the queue names the execution.',
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
          stateMachineArn: [this.stateMachine.stateMachineArn],
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
      metric: sumOf([
        this.stateMachine.metricFailed({ period }),
        this.stateMachine.metricTimedOut({ period }),
      ]),
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
