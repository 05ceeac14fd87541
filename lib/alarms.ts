import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { LoggedEvent } from '../lambdas/domain/platform/logging.ts';
import type { ServiceFunction } from './service-function.ts';

export function alarmOn(
  scope: Construct,
  id: string,
  {
    metric,
    alarmDescription,
    threshold = 1,
  }: { metric: IMetric; alarmDescription: string; threshold?: number },
): Alarm {
  return new Alarm(scope, id, {
    alarmDescription,
    metric,
    threshold,
    evaluationPeriods: 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}

/**
 * Lambda reports how many records an event source mapping has polled, even if there were none. A mapping that is disabled
 * or cannot read its stream reports nothing, neither errors nor lag.
 */
export function alarmOnSilence(
  scope: Construct,
  id: string,
  { mappingId, alarmDescription }: { mappingId: string; alarmDescription: string },
): Alarm {
  return new Alarm(scope, id, {
    alarmDescription,
    metric: new Metric({
      namespace: 'AWS/Lambda',
      metricName: 'PolledEventCount',
      dimensionsMap: { EventSourceMappingUUID: mappingId },
      statistic: Stats.SUM,
      period,
    }),
    threshold: 0,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    // Half an hour is longer than Lambda's pause while it updates a mapping.
    evaluationPeriods: 6,
    treatMissingData: TreatMissingData.BREACHING,
  });
}

export const period = Duration.minutes(5);

/** A metric without data counts as 0. */
export function sumOf(metrics: readonly IMetric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
  const expression = `SUM([${Object.keys(usingMetrics).join()}])`;
  return new MathExpression({ label: 'Sum', expression, usingMetrics, period });
}

/** The metric and the alarm are named after the logged event. */
export class LoggedEventAlarm extends Construct {
  private readonly event: LoggedEvent;

  constructor(scope: Construct, event: LoggedEvent, alarmDescription: string) {
    super(scope, event);
    this.event = event;
    const metric = new Metric({
      namespace: Stack.of(this).stackName,
      metricName: event,
      statistic: Stats.SUM,
      period,
    });
    alarmOn(scope, `${event}Alarm`, { metric, alarmDescription });
  }

  watch(lambda: ServiceFunction): void {
    new MetricFilter(this, lambda.node.id, {
      logGroup: lambda.logGroup,
      filterPattern: FilterPattern.stringValue('$.message.event', '=', this.event),
      metricNamespace: Stack.of(this).stackName,
      metricName: this.event,
    });
  }
}
