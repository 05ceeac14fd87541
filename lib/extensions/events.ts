import { ArnFormat, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { CfnRule, EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import * as v from 'valibot';
import { alarmOn, period } from '../alarms.ts';
import { constructsOf } from '../constructs.ts';
import { DeadLetterQueue } from '../dead-letter-queue.ts';
import { OperatorPolicy } from '../operator-policy.ts'; // @extension cli
import { type FunctionDefaults, ServiceFunction } from '../service-function.ts';
import { described } from '../setting-types.ts';
import { readStream } from '../streams.ts';
import type { Tables } from '../tables.ts';
import { extension } from './extension.ts';

/** The stack creates `Events` earlier, because the monitoring and the operator's policy search for its parts. */
export const events = extension({
  fields: {
    events: described(
      'Publishes changes to dogs and barks as events on an EventBridge bus.',
      v.boolean('must be true or false'),
    ),
  },
  defaults: { events: false },
  add(stack) {
    for (const { bus, log } of constructsOf(stack, Events)) {
      new CfnOutput(stack, 'EventBus', { value: bus.eventBusName });
      new CfnOutput(stack, 'EventLog', { value: log.logGroupName });
      // @extension cli {
      for (const operator of constructsOf(stack, OperatorPolicy))
        operator.grant(['logs:FilterLogEvents'], [log.logGroupArn]);
      // @extension cli }
    }
  },
});

/** `docs/data-model.md` lists the prefixes. */
const sortKey = (...prefixes: string[]) => ({
  Keys: { sk: { S: prefixes.map((prefix) => ({ prefix })) } },
});

const absent = [{ exists: false }];

/**
 * The function ignores records that do not become events, so the filters merely save invocations. A record passes if
 * it matches one of the patterns, of which Lambda allows five.
 *
 * @see {@link https://docs.aws.amazon.com/lambda/latest/dg/with-ddb-filtering.html Filters for DynamoDB}
 */
const barkFilters: Record<string, unknown>[] = [
  // A bark that only sent mail, or a history entry, except that of an asynchronous bark, whose event comes from the bark's item.
  { eventName: ['INSERT'], dynamodb: { ...sortKey('b#', 'o#'), NewImage: { barkId: { S: absent } } } },
  { eventName: ['MODIFY'], dynamodb: { ...sortKey('b#'), NewImage: { mail: { S: ['failed'] } } } },
  {
    eventName: ['MODIFY'],
    dynamodb: { ...sortKey('a#'), NewImage: { status: { S: ['complete', 'failed', 'cancelled'] } } },
  },
  // An open bark that the purge deletes.
  {
    eventName: ['REMOVE'],
    dynamodb: { ...sortKey('a#'), OldImage: { status: { S: ['pending', 'inProgress'] } } },
  },
  // The expiry of a pending bark's marker.
  {
    eventName: ['REMOVE'],
    userIdentity: { type: ['Service'], principalId: ['dynamodb.amazonaws.com'] },
    dynamodb: sortKey('d#'),
  },
];

/** Other stacks add rules to the bus, so its name must never change. */
export class Events extends Construct {
  readonly bus: EventBus;
  private readonly publishEvents: ServiceFunction;
  /** Contains every event, for the operator. */
  readonly log: LogGroup;
  private readonly deadLetterQueue: DeadLetterQueue;

  /** @param source the CloudEvents `source`: the service's base URL */
  constructor(
    scope: Construct,
    id: string,
    { tables, stage, source }: { readonly tables: Tables; readonly stage: string; readonly source: string },
    defaults: FunctionDefaults,
  ) {
    super(scope, id);
    this.bus = new EventBus(this, 'Bus', {
      eventBusName: `dogs-${stage}`,
      description: `The events of the dog service ${stage}`,
    });
    this.publishEvents = new ServiceFunction(this, 'PublishEvents', defaults, {
      entry: 'jobs/publish-events.ts',
      description: 'Publishes changes to dogs and barks as events',
      timeout: Duration.seconds(30),
    });
    this.publishEvents.addEnvironment('EVENT_BUS', this.bus.eventBusName);
    this.publishEvents.addEnvironment('EVENT_SOURCE', source);
    this.publishEvents.addPolicyStatement(['events:PutEvents'], [this.bus.eventBusArn]);
    this.deadLetterQueue = new DeadLetterQueue(this, 'PublishDlq', {
      lambda: this.publishEvents,
      alarmDescription:
        'Events could not be published. The message in the queue contains the position of their changes in the stream.',
      encryption: defaults.encryption,
    });
    // A filter cannot compare a dog's old and new images, so the function also receives the changes that barks make to dogs.
    this.read(tables.dogs, 'DogEventsStoppedAlarm');
    this.read(tables.barks, 'BarkEventsStoppedAlarm', barkFilters);
    alarmOn(this, 'EventsLagAlarm', {
      metric: this.publishEvents.metric('IteratorAge', { period, statistic: Stats.MAXIMUM }),
      threshold: Duration.hours(1).toMilliseconds(),
      alarmDescription: 'The publication of events is an hour behind. The streams keep a change for one day.',
    });
    this.log = this.createLog(defaults);
    // A function that can start the workflow can also make a dog bark synchronously.
    for (const lambda of constructsOf(this, ServiceFunction))
      if (lambda.capabilities.workflow) lambda.addEnvironment('PUBLISHES_EVENTS', 'true');
  }

  private read(table: Table, alarmId: string, filters?: Record<string, unknown>[]): void {
    readStream(
      table,
      this.publishEvents,
      {
        deadLetterQueue: this.deadLetterQueue,
        ...(filters && { filters: filters.map((filter) => FilterCriteria.filter(filter)) }),
        batchSize: 100,
        maxBatchingWindow: Duration.seconds(1),
        // A change whose events cannot be published must not hold up the changes before it.
        bisectBatchOnError: true,
        reportBatchItemFailures: true,
      },
      {
        scope: this,
        id: alarmId,
        alarmDescription:
          'Lambda has not read the stream for half an hour, so changes are not published. The stream keeps a change for one day.',
      },
    );
  }

  private createLog({ logRetentionDays, encryption }: FunctionDefaults): LogGroup {
    const { stackName } = Stack.of(this);
    const log = new LogGroup(this, 'Log', {
      // EventBridge writes only to log groups with this prefix.
      logGroupName: `/aws/events/${stackName}`,
      retention: logRetentionDays,
      ...(encryption.key && { encryptionKey: encryption.key }),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    log.addToResourcePolicy(
      new PolicyStatement({
        principals: [
          new ServicePrincipal('events.amazonaws.com'),
          new ServicePrincipal('delivery.logs.amazonaws.com'),
        ],
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [log.logGroupArn],
      }),
    );
    // The CDK's target for log groups would add a Lambda function that creates the policy.
    new CfnRule(this, 'LogRule', {
      description: 'All events, for the operator',
      eventBusName: this.bus.eventBusName,
      eventPattern: { source: ['dogs'] },
      targets: [
        {
          id: 'Log',
          arn: Stack.of(this).formatArn({
            service: 'logs',
            resource: 'log-group',
            resourceName: log.logGroupName,
            arnFormat: ArnFormat.COLON_RESOURCE_NAME,
          }),
        },
      ],
    });
    return log;
  }
}
