import { Aws, Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { alarmOn } from './alarms.ts';
import { DeadLetters } from './dead-letters.ts';
import { ServiceFunction } from './service-function.ts';

/** What is watched, beside what the constructs watch of themselves. */
export interface Watched {
  readonly api: RestApi;
  readonly workflow: StateMachine;
  readonly scheduleGroupName: string;
  readonly tables: Readonly<Record<string, Table>>;
  /** The functions whose errors no client is answered. */
  readonly jobs: readonly ServiceFunction[];
}

const period = Duration.minutes(5);

/**
 * What an operator sees: alarms on what goes wrong anywhere, a topic that all alarms of the stack go to, and a
 * dashboard. It must be made last, since it gathers what the stack holds.
 */
export class Monitoring extends Construct {
  private readonly watched: Watched;

  constructor(scope: Construct, id: string, { alarmTopicArn }: { alarmTopicArn: string }, watched: Watched) {
    super(scope, id);
    this.watched = watched;
    this.addAlarms();
    const alarms = Stack.of(this)
      .node.findAll()
      .filter((construct) => construct instanceof Alarm);
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
    alarmOn(this, 'ServerErrors', {
      // One failure among few requests is no trend: it stands in the log.
      metric: new MathExpression({
        label: 'Percentage of 5xx, from five on',
        expression: 'IF(errors >= 5, 100 * errors / requests, 0)',
        usingMetrics: {
          errors: api.metricServerError({ period }),
          requests: api.metricCount({ period, statistic: Stats.SUM }),
        },
        period,
      }),
      alarmDescription: 'The API answers 5xx to one request in a hundred, or to more',
    });
    alarmOn(this, 'Errors', {
      metric: sumOf(jobs.map((lambda) => lambda.metricErrors({ period }))),
      alarmDescription: 'A function that no client waits for failed ten times in five minutes',
      threshold: 10,
    });
    alarmOn(this, 'Throttles', {
      metric: lambdaOfTheAccount('Throttles'),
      alarmDescription: 'Lambda throttles functions of this account and region: their concurrency is used up',
    });
    alarmOn(this, 'TableThrottles', {
      metric: sumOf(
        Object.values(tables).flatMap((table) =>
          ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) =>
            table.metric(name, { period, statistic: Stats.SUM }),
          ),
        ),
      ),
      alarmDescription: 'DynamoDB throttles a table of the service',
    });
  }

  private addDashboard(alarms: readonly Alarm[]): void {
    const { api, workflow, scheduleGroupName, tables } = this.watched;
    const all = Stack.of(this).node.findAll();
    const functions = all.filter((construct) => construct instanceof ServiceFunction);
    const queues = all.filter((construct) => construct instanceof DeadLetters);
    const { stackName } = Stack.of(this);
    new Dashboard(this, 'Dashboard', {
      // Dashboards belong to the account, whatever the region.
      dashboardName: `${stackName}-${Aws.REGION}`,
      defaultInterval: Duration.hours(12),
      widgets: [
        [
          new TextWidget({ markdown: `# ${stackName}`, width: 24, height: 1 }),
          new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 4 }),
        ],
        [
          graph('Requests', [
            api.metricCount({ period }),
            api.metricClientError({ period }),
            api.metricServerError({ period }),
          ]),
          graph(
            'Time to answer (ms)',
            [50, 95, 99].map((p) => api.metricLatency({ period, statistic: Stats.percentile(p) })),
          ),
          graph(
            'Errors of the functions',
            functions.map((lambda) => lambda.metricErrors({ period, label: lambda.node.id })),
          ),
        ],
        [
          graph('Asynchronous barks', [
            workflow.metricStarted({ period }),
            workflow.metricSucceeded({ period }),
            workflow.metricFailed({ period }),
            workflow.metricAborted({ period }),
          ]),
          graph(
            'Schedules',
            ['InvocationAttemptCount', 'TargetErrorCount', 'InvocationDroppedCount'].map(
              (metricName) =>
                new Metric({
                  namespace: 'AWS/Scheduler',
                  metricName,
                  dimensionsMap: { ScheduleGroup: scheduleGroupName },
                  statistic: Stats.SUM,
                  period,
                }),
            ),
          ),
          graph(
            'What could not be done',
            queues.map((queue) =>
              queue.metricApproximateNumberOfMessagesVisible({ period, label: queue.node.id }),
            ),
          ),
        ],
        [
          graph(
            'Write units',
            Object.entries(tables).map(([label, table]) =>
              table.metricConsumedWriteCapacityUnits({ period, label }),
            ),
          ),
          graph(
            'Read units',
            Object.entries(tables).map(([label, table]) =>
              table.metricConsumedReadCapacityUnits({ period, label }),
            ),
          ),
          graph('Functions at once, in this account', [
            lambdaOfTheAccount('ConcurrentExecutions', Stats.MAXIMUM),
          ]),
        ],
      ],
    });
  }
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8, height: 6, leftYAxis: { min: 0 } });
}

function sumOf(metrics: readonly IMetric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
  return new MathExpression({ label: 'Sum', expression: `SUM(METRICS())`, usingMetrics, period });
}

/** Concurrency belongs to the account, so that it is the account which runs out of it. */
function lambdaOfTheAccount(metricName: string, statistic: string = Stats.SUM): Metric {
  return new Metric({ namespace: 'AWS/Lambda', metricName, statistic, period });
}
