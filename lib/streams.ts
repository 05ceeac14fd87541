import type { ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import { MetricType, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, type DynamoEventSourceProps, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { alarmOnSilence } from './alarms.ts';
import type { ServiceFunction } from './service-function.ts';

/**
 * Makes a function read a table's stream from its beginning, and adds an alarm that fires if Lambda stops reading. The
 * dead-letter queue receives the positions of records that keep failing.
 */
export function readStream(
  table: Table,
  lambda: ServiceFunction,
  { deadLetterQueue, ...properties }: { deadLetterQueue: Queue } & Partial<DynamoEventSourceProps>,
  alarm: { scope: Construct; id: string; alarmDescription: string },
): void {
  const source = new DynamoEventSource(table as ITable, {
    startingPosition: StartingPosition.TRIM_HORIZON,
    retryAttempts: 100,
    onFailure: new SqsDlq(deadLetterQueue),
    metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
    ...properties,
  });
  lambda.addEventSource(source);
  lambda.readStreamsForAlias();
  alarmOnSilence(alarm.scope, alarm.id, {
    mappingId: source.eventSourceMappingId,
    alarmDescription: alarm.alarmDescription,
  });
}
