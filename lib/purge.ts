import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type FunctionDefaults, ServiceFunction } from './service-function.ts';
import type { Tables } from './tables.ts';

/**
 * Purges what a deleted dog left. The deletion itself is the trigger, by the table's stream: there is no second write
 * that could be lost between the two.
 */
export class Purge extends Construct {
  constructor(scope: Construct, id: string, tables: Tables, defaults: FunctionDefaults) {
    super(scope, id);
    const lambda = new ServiceFunction(this, 'PurgeDog', defaults, {
      entry: 'jobs/purge-dog.ts',
      description: 'Purges what a deleted dog left',
      timeout: Duration.minutes(5),
    });
    tables.allow(lambda, { barks: ['DeleteItem', 'Query'] });

    const unpurged = new Queue(this, 'Unpurged', { retentionPeriod: Duration.days(14), enforceSSL: true });
    lambda.addEventSource(
      new DynamoEventSource(tables.dogs as ITable, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        filters: [FilterCriteria.filter({ eventName: FilterRule.isEqual('REMOVE') })],
        batchSize: 1,
        parallelizationFactor: 10,
        retryAttempts: 100,
        onFailure: new SqsDlq(unpurged),
      }),
    );
    new Alarm(this, 'UnpurgedAlarm', {
      alarmDescription: 'A deleted dog could not be purged; the queue tells which',
      metric: unpurged.metricApproximateNumberOfMessagesVisible(),
      threshold: 1,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
