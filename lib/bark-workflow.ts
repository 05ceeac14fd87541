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
import { DeadLetters } from './dead-letter-queue.ts';
import type { Encryption } from './encryption.ts';
import { type FunctionDefaults, ServiceFunction } from './service-function.ts';

/** A run of the task, at most. What has begun a bark is left alone for longer than this. */
const taskTimeout = Duration.seconds(30);

/** An execution, at most, beyond the cancellation window; the deadline of its bark is later. */
const patience = Duration.minutes(12);

/**
 * Carries asynchronous barks: waits while they can be cancelled, then lets them take effect. Its end is no guarantee:
 * that none stays pending for ever is the work of the deadline that each bark bears.
 */
export class BarkWorkflow extends Construct {
  readonly takeEffect: ServiceFunction;
  readonly giveUp: ServiceFunction;
  readonly stateMachine: StateMachine;
  private readonly windowSeconds: number;

  constructor(scope: Construct, id: string, windowSeconds: number, defaults: FunctionDefaults) {
    super(scope, id);
    this.windowSeconds = windowSeconds;
    this.takeEffect = new ServiceFunction(this, 'TakeEffect', defaults, {
      entry: 'jobs/perform-bark.ts',
      description: 'Lets an asynchronous bark take effect',
      capabilities: {
        dogs: ['GetItem', 'UpdateItem'],
        barks: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
        mail: true,
      },
      timeout: taskTimeout,
    });
    this.giveUp = new ServiceFunction(this, 'GiveUpBark', defaults, {
      entry: 'jobs/fail-bark.ts',
      description: 'Lets a bark fail that its workflow could not bring to an end',
      capabilities: { barks: ['DeleteItem', 'GetItem', 'UpdateItem'] },
    });
    this.stateMachine = this.defineStateMachine(defaults.tracing);
    this.watch(defaults.encryption);
  }

  /** Lets a function start executions, and tells it how long each can be cancelled. */
  allowStart(lambda: ServiceFunction): void {
    lambda.give('BARK_WORKFLOW_ARN', this.stateMachine.stateMachineArn);
    lambda.give('CANCELLATION_WINDOW_SECONDS', String(this.windowSeconds));
    this.stateMachine.grantStartExecution(lambda);
  }

  allowStop(lambda: ServiceFunction): void {
    lambda.give('BARK_WORKFLOW_ARN', this.stateMachine.stateMachineArn);
    this.stateMachine.grantExecution(lambda, 'states:StopExecution');
  }

  private defineStateMachine(tracingEnabled: boolean): StateMachine {
    const again = {
      errors: [Errors.ALL],
      interval: Duration.seconds(2),
      backoffRate: 2,
      maxDelay: Duration.minutes(1),
      jitterStrategy: JitterType.FULL,
    };
    const giveUp = new LambdaInvoke(this, 'GiveUp', {
      lambdaFunction: this.giveUp.entryPoint,
      payloadResponseOnly: true,
      retryOnServiceExceptions: false,
    }).addRetry({ ...again, maxAttempts: 5 });
    const takeEffect = new LambdaInvoke(this, 'TakeEffectOnce', {
      lambdaFunction: this.takeEffect.entryPoint,
      payloadResponseOnly: true,
      retryOnServiceExceptions: false,
    })
      .addRetry({ ...again, maxAttempts: 10 })
      .addCatch(giveUp, { resultPath: '$.error' });
    const wait = new Wait(this, 'WaitForCancellation', {
      time: WaitTime.duration(Duration.seconds(this.windowSeconds)),
    });
    const machine = new StateMachine(this, 'StateMachine', {
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromChainable(wait.next(takeEffect)),
      timeout: patience.plus(Duration.seconds(this.windowSeconds)),
      tracingEnabled,
    });
    // An execution keeps the definition that it started with. It invokes the functions or their aliases, even if the setting
    // `releases` has changed since.
    for (const lambda of [this.takeEffect, this.giveUp]) lambda.grantInvoke(machine);
    return machine;
  }

  /** What an execution cannot catch itself, its rule sees; what that cannot mend either ends in a queue. */
  private watch(encryption: Encryption): void {
    const unsettled = new DeadLetters(this, 'Unsettled', {
      lambda: this.giveUp,
      alarmDescription: 'A bark that its workflow gave up could not be settled; the queue tells which',
      encryption,
    });
    this.giveUp.entryPoint.configureAsyncInvoke({
      retryAttempts: 2,
      maxEventAge: Duration.hours(1),
      onFailure: new SqsDestination(unsettled),
    });
    new Rule(this, 'Ended', {
      description: 'Executions that ended otherwise than by themselves',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: {
          status: ['FAILED', 'TIMED_OUT', 'ABORTED'],
          stateMachineArn: [this.stateMachine.stateMachineArn],
        },
      },
      targets: [
        new LambdaFunction(this.giveUp.entryPoint, {
          retryAttempts: 5,
          maxEventAge: Duration.hours(1),
          deadLetterQueue: unsettled,
        }),
      ],
    });
    alarmOn(this, 'ExecutionsAlarm', {
      metric: sumOf([
        this.stateMachine.metricFailed({ period }),
        this.stateMachine.metricTimedOut({ period }),
      ]),
      alarmDescription: 'Executions of barks failed, or ran out of time',
    });
    const givenUp = new LoggedEventAlarm(
      this,
      'BarkGivenUp',
      'A bark failed that was accepted; the log tells which',
    );
    for (const lambda of [this.takeEffect, this.giveUp]) givenUp.watch(lambda);
  }
}
