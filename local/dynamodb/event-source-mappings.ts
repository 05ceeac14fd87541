import { checkedPattern } from '../eventbridge/pattern.ts';
import type { Invoke } from '../lambda/async-invocations.ts';
import type { DeadLetterQueues } from '../sqs/dead-letter-queues.ts';
import type { Resource } from '../template/resource.ts';
import type { Template } from '../template/template.ts';
import { type EventSourceMapping, type PollerClients, StreamPoller } from './stream-poller.ts';

interface Dependencies {
  readonly invoke: Invoke;
  readonly deadLetterQueues: DeadLetterQueues;
}

export class StreamPollers {
  private readonly dependencies: Dependencies;
  private readonly clients: PollerClients;
  private pollers: ReadonlyMap<string, StreamPoller> = new Map();

  constructor(dependencies: Dependencies, clients: PollerClients) {
    this.dependencies = dependencies;
    this.clients = clients;
  }

  /** @throws Error with the logical ID of a mapping whose filter is unsupported, or that does not link a stream to a function */
  deploy(template: Template): void {
    const mappings = template
      .ofType('AWS::Lambda::EventSourceMapping')
      .map((resource) => mappingOf(resource, template, this.dependencies));
    const previous = this.pollers;
    this.pollers = new Map(
      mappings.map((mapping) => {
        const key = `${mapping.functionArn} ${mapping.tableName}`;
        return [key, this.deployed(mapping, previous.get(key))];
      }),
    );
    for (const [key, poller] of previous) if (!this.pollers.has(key)) poller.stop();
  }

  stop(): void {
    for (const poller of this.pollers.values()) poller.stop();
  }

  private deployed(mapping: EventSourceMapping, existing: StreamPoller | undefined): StreamPoller {
    existing?.update(mapping);
    if (existing) return existing;
    const poller = new StreamPoller(mapping, this.clients);
    void poller.run();
    return poller;
  }
}

function mappingOf(
  { logicalId, properties }: Resource,
  template: Template,
  { invoke, deadLetterQueues }: Dependencies,
): EventSourceMapping {
  const entryPoint = template.entryPoints.find(({ arn, lambda }) =>
    [arn, template.idOf(lambda)].includes(properties.FunctionName),
  );
  const tableName = template
    .ofType('AWS::DynamoDB::Table')
    .map((resource) => template.idOf(resource))
    .find((name) => properties.EventSourceArn.includes(`:table/${name}/`));
  if (!entryPoint || !tableName)
    throw new Error(
      `${logicalId}: the local cloud supports only mappings from a table's stream to a function.`,
    );
  const { arn: functionArn, lambda } = entryPoint;
  const filters: { Pattern: string }[] = properties.FilterCriteria?.Filters ?? [];
  const queueArn: string | undefined = properties.DestinationConfig?.OnFailure?.Destination;
  return {
    name: lambda.name,
    functionArn,
    tableName,
    filters: filters.map(({ Pattern }) => checkedPattern(JSON.parse(Pattern), logicalId)),
    // Lambda's default.
    batchSize: properties.BatchSize ?? 100,
    bisects: properties.BisectBatchOnFunctionError ?? false,
    reportsFailures: properties.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false,
    retryAttempts: properties.MaximumRetryAttempts ?? Number.POSITIVE_INFINITY,
    invoke: (event) => invoke(functionArn, event),
    ...(queueArn && { onFailure: (body) => deadLetterQueues.put(queueArn, body) }),
  };
}
