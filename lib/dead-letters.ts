import { Duration } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { alarmOn } from './alarms.ts';
import type { ServiceFunction } from './service-function.ts';

/** A queue of what a function could not do, or was never handed, with an alarm as soon as there is anything in it. */
export class DeadLetters extends Queue {
  /** The function that the operator can send it to again, if there is one. */
  readonly lambda: ServiceFunction | undefined;

  constructor(
    scope: Construct,
    id: string,
    {
      lambda,
      alarmDescription,
      queueName,
    }: { lambda?: ServiceFunction; alarmDescription: string; queueName?: string },
  ) {
    super(scope, id, {
      retentionPeriod: Duration.days(14),
      enforceSSL: true,
      ...(queueName !== undefined && { queueName }),
    });
    this.lambda = lambda;
    alarmOn(scope, `${id}Alarm`, {
      metric: this.metricApproximateNumberOfMessagesVisible(),
      alarmDescription,
    });
  }
}
