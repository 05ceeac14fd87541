import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import type { CloudEvent } from '../../lambdas/domain/events/event.ts';
import { operatorAccess } from '../start/operator-access.ts';
import { eventually } from '../support/client.ts';
import type { Target } from './target.ts';

/** How long the events of the last barks can take, in milliseconds. */
const timeoutMs = 30_000;

/**
 * Returns the IDs of the completed barks whose events are on the bus: those with a history entry, and the recorded barks of the
 * dogs. The service and its database were killed meanwhile. Waits until the events of all entries have arrived, or a timeout.
 */
export async function eventsOf(
  { directory }: Target,
  dogs: readonly string[],
  entries: readonly string[],
): Promise<string[]> {
  const [names, known] = [new Set(dogs), new Set(entries)];
  let ids = new Set<string>();
  const arrive = async () => {
    const events = (await publishedBy(directory)).filter(({ type }) => type === 'dogs.bark.completed');
    // Other barks never had a history entry, or lost it.
    const stored = events.filter(
      ({ id, data }) => known.has(barkIn(id)) || (names.has(data.dog) && isRecorded(data)),
    );
    ids = new Set(stored.map(({ id }) => barkIn(id)));
    if (entries.some((id) => !ids.has(id))) throw new Error('An event is missing.');
  };
  await eventually(arrive, { deadline: timeoutMs, interval: 1_000 }).catch(() => {});
  return [...ids];
}

function barkIn(event: string): string {
  return event.replace(/\.completed$/, '');
}

function isRecorded(data: object): boolean {
  return 'recorded' in data && data.recorded === true;
}

/** Returns the events in the log of the bus. An event that was published twice is in the list twice. */
async function publishedBy(directory: string): Promise<CloudEvent[]> {
  const { client: settings, outputs } = operatorAccess(directory);
  const client = new CloudWatchLogsClient(settings);
  const pages = paginateFilterLogEvents({ client }, { logGroupName: outputs.EventLog });
  const events: CloudEvent[] = [];
  for await (const page of pages)
    events.push(...(page.events ?? []).map(({ message = '' }) => JSON.parse(message).detail as CloudEvent));
  client.destroy();
  return events;
}
