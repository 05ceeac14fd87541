import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

/** A queue of what a function could not do, or was never handed, with an alarm as soon as there is anything in it. */
export class DeadLetters extends Queue {
  /** The function that the operator can send it to again. */
  readonly lambda: ServiceFunction;

  constructor(
    scope: Construct,
    id: string,
    {
      lambda,
      alarmDescription,
      queueName,
    }: { lambda: ServiceFunction; alarmDescription: string; queueName?: string },
  ) {
    super(scope, id, {
      retentionPeriod: Duration.days(14),
      enforceSSL: true,
      ...(queueName !== undefined && { queueName }),
    });
    this.lambda = lambda;
    alarmOnFirst(scope, `${id}Alarm`, this.metricApproximateNumberOfMessagesVisible(), alarmDescription);
  }
}

/** An alarm on the first of what should not happen at all. */
export function alarmOnFirst(scope: Construct, id: string, metric: IMetric, alarmDescription: string): void {
  new Alarm(scope, id, {
    alarmDescription,
    metric,
    threshold: 1,
    evaluationPeriods: 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}
