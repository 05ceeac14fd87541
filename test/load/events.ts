import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import type { CloudEvent } from '../../lambdas/domain/events/event.ts';
import type { Table } from '../../tools/table.ts';
import { operatorAccess } from '../start/operator-access.ts';
import { eventually } from '../support/client.ts';
import type { Dogs, LoadDog } from './dogs.ts';
import { historyOf } from './stored.ts';
import type { Target } from './target.ts';

/** How long the events of the last barks can take, in milliseconds. */
const timeoutMs = 30_000;

/** The events of the service after the load. */
export interface EventAccount {
  readonly table: Table;
  readonly faults: readonly string[];
}

/** Compares the events on the bus with the stored history entries. The service and its database were killed meanwhile. */
export async function accountOfEvents(
  target: Target,
  { barking, steady, restless }: Dogs,
): Promise<EventAccount> {
  const dogs: readonly LoadDog[] = [...barking, ...steady, ...restless];
  const entries = (await Promise.all(dogs.map((dog) => historyOf(target, dog)))).flat();
  const expected = entries.map(({ id }) => `${id}.completed`);
  const missingIn = (ids: ReadonlySet<string>) => expected.filter((id) => !ids.has(id));
  await eventually(
    async () => {
      if (missingIn(new Set(idsOf(await publishedBy(target)))).length > 0)
        throw new Error('An event is missing.');
    },
    { deadline: timeoutMs, interval: 1_000 },
  ).catch(() => {});
  const events = await publishedBy(target);
  const ids = new Set(idsOf(events));
  const known = new Set(expected);
  const names = new Set(dogs.map(({ id }) => id));
  const invented = events.filter(
    ({ id, type, data }) =>
      type === 'dogs.bark.completed' && names.has(data.dog) && isEntry(data) && !known.has(id),
  );
  const missing = missingIn(ids);
  return {
    table: {
      title: 'Events',
      columns: ['barks in the history', 'events', 'delivered again', 'lost', 'invented'],
      rows: [[expected.length, ids.size, events.length - ids.size, missing.length, invented.length]],
    },
    faults: [
      ...missing.map((id) => `The event ${id} is missing.`),
      ...invented.map(({ id }) => `The event ${id} has no bark.`),
    ],
  };
}

function idsOf(events: readonly CloudEvent[]): string[] {
  return events.map(({ id }) => id);
}

/** Returns true if the bark of an event has a history entry as long as its dog exists. */
function isEntry(data: object): boolean {
  return 'recorded' in data && data.recorded === true;
}

/** Returns the events in the log of the bus. An event that was published twice is in the list twice. */
async function publishedBy({ directory }: Target): Promise<CloudEvent[]> {
  const { client: settings, outputs } = operatorAccess(directory);
  const client = new CloudWatchLogsClient(settings);
  const events: CloudEvent[] = [];
  let nextToken: string | undefined;
  do {
    const page: { events?: { message?: string | undefined }[] | undefined; nextToken?: string | undefined } =
      await client.send(new FilterLogEventsCommand({ logGroupName: outputs.EventLog, nextToken }));
    events.push(...(page.events ?? []).map(({ message = '' }) => JSON.parse(message).detail as CloudEvent));
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  client.destroy();
  return events;
}
