import { Duration } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { type FunctionDefaults, ServiceFunction } from './service-function.ts';
import { readStream } from './streams.ts';

/** The dogs table's stream triggers the purge, so a deletion needs no second write, which could fail. */
export class Purge extends Construct {
  readonly lambda: ServiceFunction;

  constructor(
    scope: Construct,
    id: string,
    { dogs, concurrency }: { readonly dogs: Table; readonly concurrency: number },
    defaults: FunctionDefaults,
  ) {
    super(scope, id);
    this.lambda = new ServiceFunction(this, 'PurgeDog', defaults, {
      entry: 'jobs/purge-dog.ts',
      description: "Purges a deleted dog's items and schedule",
      capabilities: { dogs: ['GetItem'], barks: ['DeleteItem', 'Query'], schedules: 'delete' },
      timeout: Duration.minutes(5),
    });

    const deadLetterQueue = new DeadLetterQueue(this, 'PurgeDlq', {
      lambda: this.lambda,
      alarmDescription:
        'A deleted dog could not be purged. The message in the queue contains the position of the deletion in the stream.',
      encryption: defaults.encryption,
    });
    readStream(
      dogs,
      this.lambda,
      {
        deadLetterQueue,
        filters: [FilterCriteria.filter({ eventName: FilterRule.isEqual('REMOVE') })],
        batchSize: 1,
        // This limit applies to each shard. An event source mapping for a DynamoDB stream has no overall limit.
        parallelizationFactor: concurrency,
      },
      {
        scope: this,
        id: 'PurgeStoppedAlarm',
        alarmDescription:
          'Lambda has not read the stream of the dogs for half an hour, so deleted dogs are not purged. The stream keeps a deletion for one day.',
      },
    );
  }
}
