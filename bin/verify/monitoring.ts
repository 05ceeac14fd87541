import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import {
  CloudWatchClient,
  ListMetricsCommand,
  type Metric,
  type MetricAlarm,
  paginateDescribeAlarms,
} from '@aws-sdk/client-cloudwatch';
import { DescribeRuleCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { type Check, type Deployment, eventually, Mismatch, Unproven } from './check.ts';

/** The last checks, because the metrics of the others must have arrived. */
export const monitoring: readonly Check[] = [
  {
    statement: 'Every rule of the stack is enabled',
    run: async (deployment) => {
      const client = new EventBridgeClient();
      for (const id of await resourcesOf(deployment, 'AWS::Events::Rule')) {
        // The ID of a rule on a bus of its own is `<bus>|<rule>`.
        const [rule = '', bus] = id.split('|').reverse();
        const { State } = await client.send(new DescribeRuleCommand({ Name: rule, EventBusName: bus }));
        if (State !== 'ENABLED') throw new Mismatch(`The rule ${id} is ${State}.`);
      }
    },
  },
  {
    statement: 'No alarm of the stack is firing',
    // An alarm that fires if a metric has no data does so for its first minutes.
    run: (deployment) =>
      eventually(deployment, async () => {
        const firing = (await alarmsOf(deployment)).filter(({ StateValue }) => StateValue === 'ALARM');
        if (firing.length > 0) throw new Mismatch(`In ALARM: ${firing.map(nameOf).join(', ')}.`);
      }),
  },
  {
    statement: 'The alarms read metrics that have data',
    run: async (deployment) => {
      const client = new CloudWatchClient();
      const alarms = await alarmsOf(deployment);
      const hasData = async (alarm: MetricAlarm) => {
        for (const metric of metricsOf(alarm)) if (await exists(client, metric)) return true;
        return false;
      };
      let without: MetricAlarm[] = [];
      await eventually(deployment, async () => {
        const found = await Promise.all(alarms.map(hasData));
        without = alarms.filter((_, i) => !found[i]);
        const ofRequests = without.filter((alarm) => metricsOf(alarm).some(isOfApi));
        if (ofRequests.length > 0)
          throw new Mismatch(`No data has arrived for ${ofRequests.map(nameOf).join(', ')}.`);
      });
      if (without.length > 0)
        throw new Unproven(
          `${alarms.length - without.length} of ${alarms.length} do. AWS has not yet emitted the metrics of ${without.map(nameOf).join(', ')}, many of which count only failures.`,
        );
    },
  },
];

async function resourcesOf({ stack }: Deployment, type: string): Promise<string[]> {
  if (stack === undefined)
    throw new Unproven('The service on this machine has no rules and alarms of its own.');
  const ids: string[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources(
    { client: new CloudFormationClient() },
    { StackName: stack },
  ))
    for (const { ResourceType, PhysicalResourceId } of StackResourceSummaries)
      if (ResourceType === type && PhysicalResourceId) ids.push(PhysicalResourceId);
  if (ids.length === 0) throw new Unproven(`The stack has no ${type}.`);
  return ids;
}

async function alarmsOf(deployment: Deployment): Promise<MetricAlarm[]> {
  const names = new Set(await resourcesOf(deployment, 'AWS::CloudWatch::Alarm'));
  const found: MetricAlarm[] = [];
  for await (const { MetricAlarms = [] } of paginateDescribeAlarms(
    { client: new CloudWatchClient() },
    { AlarmNamePrefix: `${deployment.stack}-` },
  ))
    found.push(...MetricAlarms.filter(({ AlarmName = '' }) => names.has(AlarmName)));
  if (found.length < names.size)
    throw new Mismatch(`CloudWatch has ${found.length} of the stack's ${names.size} alarms.`);
  return found;
}

/** An alarm reads one metric, or the metrics in an expression. */
function metricsOf({ Namespace, MetricName, Dimensions, Metrics = [] }: MetricAlarm): Metric[] {
  if (MetricName !== undefined) return [{ Namespace, MetricName, Dimensions }];
  return Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
}

function isOfApi({ Namespace }: Metric): boolean {
  return Namespace === 'AWS/ApiGateway';
}

/** The checks themselves have sent requests, so the metrics of the API must arrive. */
async function exists(client: CloudWatchClient, { Namespace, MetricName, Dimensions = [] }: Metric) {
  const { Metrics = [] } = await client.send(
    new ListMetricsCommand({ Namespace, MetricName, Dimensions: Dimensions as never }),
  );
  return Metrics.length > 0;
}

function nameOf({ AlarmName = '' }: MetricAlarm): string {
  return AlarmName;
}
