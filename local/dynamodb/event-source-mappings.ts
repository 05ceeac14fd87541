import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Invoke } from '../lambda/async-invocations.ts';
import type { DataDirectory } from '../platform/data-directory.ts';
import type { Shutdown } from '../platform/shutdown.ts';
import type { DeadLetterQueues } from '../sqs/dead-letter-queues.ts';
import type { Resource } from '../template/resource.ts';
import type { Template } from '../template/template.ts';
import { type EventSourceMapping, StreamPoller } from './stream-poller.ts';

interface Dependencies {
  readonly invoke: Invoke;
  readonly deadLetterQueues: DeadLetterQueues;
  /** Deletes old records from a stream. Undefined if the database itself deletes them. */
  readonly trim?: EventSourceMapping['trim'];
}

/**
 * Starts a stream poller for each event source mapping of the template.
 *
 * @throws Error with the logical ID of the mapping if it does not map the stream of a table to a function
 */
export function startStreamPollers(
  template: Template,
  dependencies: Dependencies,
  {
    shutdown,
    ...clients
  }: {
    readonly shutdown: Shutdown;
    readonly directory: DataDirectory;
    readonly database: DynamoDBClient;
    readonly streams: DynamoDBStreamsClient;
  },
): void {
  for (const resource of template.ofType('AWS::Lambda::EventSourceMapping')) {
    const poller = new StreamPoller(mappingOf(resource, template, dependencies), clients);
    shutdown.add(() => poller.stop());
    void poller.run();
  }
}

function mappingOf(
  { logicalId, properties }: Resource,
  template: Template,
  { invoke, deadLetterQueues, trim }: Dependencies,
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
      `${logicalId}: the local cloud supports only mappings from the stream of a table to a function.`,
    );
  const { arn: functionArn, lambda } = entryPoint;
  const filters: { Pattern: string }[] = properties.FilterCriteria?.Filters ?? [];
  const queueArn: string | undefined = properties.DestinationConfig?.OnFailure?.Destination;
  return {
    name: lambda.name,
    functionArn,
    tableName,
    eventNames: new Set(filters.flatMap(({ Pattern }) => JSON.parse(Pattern).eventName)),
    retryAttempts: properties.MaximumRetryAttempts ?? Number.POSITIVE_INFINITY,
    invoke: (event) => invoke(functionArn, event),
    ...(trim && { trim }),
    ...(queueArn && { onFailure: (body) => deadLetterQueues.put(queueArn, body) }),
  };
}
