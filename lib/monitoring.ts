import { Aws, Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  AlarmStatusWidget,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TextWidget,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Rule } from 'aws-cdk-lib/aws-events';
import { EventInvokeConfig, EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { alarmOn, period, sumOf } from './alarms.ts';
import { constructsOf } from './constructs.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { ServiceFunction } from './service-function.ts';

export interface Watched {
  readonly api: RestApi;
  readonly workflow: StateMachine;
  /** The group of the dogs' schedules. */
  readonly scheduleGroup: ScheduleGroup;
  readonly tables: Readonly<Record<string, Table>>;
  /** The background functions, whose errors no client sees. */
  readonly jobs: readonly ServiceFunction[];
  readonly purge: ServiceFunction;
}

export interface MonitoringSettings {
  readonly alarmTopicArn: string;
  readonly minimumRequestsPerHour: number;
}

/**
 * Adds alarms and a dashboard, and makes all alarms in the stack notify the SNS topic in the settings, if there is one.
 * Create this construct after the constructs that it monitors, because it searches the stack for them.
 */
export class Monitoring extends Construct {
  private readonly watched: Watched;

  constructor(
    scope: Construct,
    id: string,
    { alarmTopicArn, minimumRequestsPerHour }: MonitoringSettings,
    watched: Watched,
  ) {
    super(scope, id);
    this.watched = watched;
    this.addAlarms();
    this.addAlarmsOnSafetyNets();
    if (minimumRequestsPerHour > 0) this.addAlarmOnNoTraffic(minimumRequestsPerHour);
    const alarms = constructsOf(this, Alarm);
    if (alarmTopicArn !== '') {
      const action = new SnsAction(Topic.fromTopicArn(this, 'Topic', alarmTopicArn));
      for (const alarm of alarms) {
        alarm.addAlarmAction(action);
        alarm.addOkAction(action);
      }
    }
    this.addDashboard(alarms);
  }

  private addAlarms(): void {
    const { api, jobs, tables } = this.watched;
    alarmOn(this, 'ServerErrorsAlarm', {
      // With few requests, a single error is a large percentage.
      metric: new MathExpression({
        label: 'Percentage of 5xx, if there are at least five',
        expression: 'IF(errors >= 5, 100 * errors / requests, 0)',
        usingMetrics: {
          errors: api.metricServerError({ period }),
          requests: api.metricCount({ period, statistic: Stats.SUM }),
        },
        period,
      }),
      alarmDescription: 'The API returned 5xx for at least 1% of the requests, and at least five times.',
    });
    alarmOn(this, 'JobErrorsAlarm', {
      metric: sumOf(jobs.map((lambda) => lambda.metricErrors({ period }))),
      alarmDescription: 'Background functions failed at least ten times in five minutes.',
      threshold: 10,
    });
    alarmOn(this, 'ThrottlesAlarm', {
      metric: lambdaOfTheAccount('Throttles'),
      alarmDescription:
        'Lambda throttled functions in this account and region, because they reached the concurrency limit.',
    });
    alarmOn(this, 'TableThrottlesAlarm', {
      metric: sumOf(
        Object.values(tables).flatMap((table) =>
          ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) =>
            table.metric(name, { period, statistic: Stats.SUM }),
          ),
        ),
      ),
      alarmDescription: 'DynamoDB throttled requests to a table of the service.',
    });
  }

  private addAlarmsOnSafetyNets(): void {
    const { purge } = this.watched;
    // Whether a construct belongs to a function or to its alias, the function is one of the scopes.
    const functionsOf = (constructs: readonly Construct[]) =>
      constructs.flatMap(({ node }) => node.scopes.filter((scope) => scope instanceof ServiceFunction));
    const asynchronous = functionsOf(constructsOf(this, EventInvokeConfig));
    const streamReaders = new Set(functionsOf(constructsOf(this, EventSourceMapping)));
    const sumOfEach = (lambdas: readonly ServiceFunction[], metricName: string) =>
      sumOf(lambdas.map((lambda) => lambda.metric(metricName, { period, statistic: Stats.SUM })));
    alarmOn(this, 'OccurrencesLostAlarm', {
      metric: sumOf(
        constructsOf(this, ScheduleGroup).flatMap((group) => [
          group.metricDropped({ period }),
          group.metricFailedToBeSentToDLQ(undefined, { period }),
        ]),
      ),
      alarmDescription:
        'EventBridge Scheduler dropped an occurrence, or could not send it to the dead-letter queue.',
    });
    alarmOn(this, 'DestinationFailuresAlarm', {
      metric: sumOfEach([...asynchronous, ...streamReaders], 'DestinationDeliveryFailures'),
      alarmDescription:
        'Lambda could not send a failed event to the dead-letter queue of the function. The event is lost.',
    });
    alarmOn(this, 'AsyncEventsDroppedAlarm', {
      metric: sumOfEach(asynchronous, 'AsyncEventsDropped'),
      alarmDescription:
        'Lambda dropped an asynchronous event. The event should be in the dead-letter queue of the function.',
    });
    alarmOn(this, 'PurgeLagAlarm', {
      metric: purge.metric('IteratorAge', { period, statistic: Stats.MAXIMUM }),
      threshold: Duration.hours(1).toMilliseconds(),
      alarmDescription:
        'The purge of deleted dogs is an hour behind. The stream keeps a deletion for one day.',
    });
    alarmOn(this, 'RuleFailuresAlarm', {
      metric: sumOf(
        constructsOf(this, Rule).flatMap(({ ruleName }) =>
          ['FailedInvocations', 'InvocationsFailedToBeSentToDlq'].map(
            (metricName) =>
              new Metric({
                namespace: 'AWS/Events',
                metricName,
                dimensionsMap: { RuleName: ruleName },
                statistic: Stats.SUM,
                period,
              }),
          ),
        ),
      ),
      alarmDescription:
        'EventBridge could not deliver an event to the target or the dead-letter queue of a rule.',
    });
  }

  private addAlarmOnNoTraffic(minimumRequestsPerHour: number): void {
    new Alarm(this, 'NoTrafficAlarm', {
      metric: this.watched.api.metricCount({ period: Duration.hours(1), statistic: Stats.SUM }),
      alarmDescription: 'The API received fewer requests in an hour than the setting minimumRequestsPerHour.',
      threshold: minimumRequestsPerHour,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      // API Gateway publishes no data for an hour without requests.
      treatMissingData: TreatMissingData.BREACHING,
    });
  }

  private addDashboard(alarms: readonly Alarm[]): void {
    const { stackName } = Stack.of(this);
    new Dashboard(this, 'Dashboard', {
      // Dashboard names must be unique across regions.
      dashboardName: `${stackName}-${Aws.REGION}`,
      defaultInterval: Duration.hours(12),
      widgets: [
        [
          new TextWidget({ markdown: `# ${stackName}`, width: 24, height: 1 }),
          new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 4 }),
        ],
        this.requestGraphs(),
        this.workGraphs(),
        this.tableGraphs(),
      ],
    });
  }

  private requestGraphs(): GraphWidget[] {
    const { api, jobs } = this.watched;
    const percentile = (p: number) => api.metricLatency({ period, statistic: Stats.percentile(p) });
    return [
      graph('Requests', [
        api.metricCount({ period }),
        api.metricClientError({ period }),
        api.metricServerError({ period }),
      ]),
      graph('Latency (ms)', [percentile(50), percentile(95), percentile(99)]),
      graph(
        'Errors of background functions',
        jobs.map((lambda) => lambda.metricErrors({ period, label: lambda.node.id })),
      ),
    ];
  }

  private workGraphs(): GraphWidget[] {
    const { workflow, scheduleGroup } = this.watched;
    return [
      graph('Asynchronous barks', [
        workflow.metricStarted({ period }),
        workflow.metricSucceeded({ period }),
        workflow.metricFailed({ period }),
        workflow.metricTimedOut({ period }),
        workflow.metricAborted({ period }),
      ]),
      graph('Schedules', [
        scheduleGroup.metricAttempts({ period }),
        scheduleGroup.metricTargetErrors({ period }),
        scheduleGroup.metricTargetThrottled({ period }),
        scheduleGroup.metricDropped({ period }),
      ]),
      graph(
        'Messages in dead-letter queues',
        constructsOf(this, DeadLetterQueue).map((queue) =>
          queue.metricApproximateNumberOfMessagesVisible({ period, label: queue.node.id }),
        ),
      ),
    ];
  }

  private tableGraphs(): GraphWidget[] {
    const tables = Object.entries(this.watched.tables);
    return [
      graph(
        'Consumed write capacity units',
        tables.map(([label, table]) => table.metricConsumedWriteCapacityUnits({ period, label })),
      ),
      graph(
        'Consumed read capacity units',
        tables.map(([label, table]) => table.metricConsumedReadCapacityUnits({ period, label })),
      ),
      graph('Concurrent executions in this account', [
        lambdaOfTheAccount('ConcurrentExecutions', Stats.MAXIMUM),
      ]),
    ];
  }
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8, height: 6, leftYAxis: { min: 0 } });
}

/** Covers all functions in the account and region, because they share the concurrency quota. */
function lambdaOfTheAccount(metricName: string, statistic: string = Stats.SUM): Metric {
  return new Metric({ namespace: 'AWS/Lambda', metricName, statistic, period });
}
