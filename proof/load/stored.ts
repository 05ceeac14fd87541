import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { eventually } from '@rest-actions/local-cloud/testing';
import { isKeyOf, nameIn } from '../../lambdas/domain/barks/keys.ts';
import type { CloudEvent } from '../../lambdas/domain/events/event.ts';
import { operatorAccess } from '../../test/start/operator-access.ts';
import { itemsOf } from '../../test/start/tables.ts';
import { allOf, type Bark, type Dog, documentOf, header } from '../../test/support/client.ts';
import type { Target } from './target.ts';

interface HistoryEntry {
  /** The ID that clients know: an asynchronous bark keeps the ID of its acceptance. */
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly isRecorded: boolean;
}

export interface Stored {
  readonly barking: boolean;
  readonly count: number;
  readonly history: readonly HistoryEntry[];
  /** The IDs in the list of barks. */
  readonly listed: readonly string[];
  /** The asynchronous barks, by ID. */
  readonly barks: ReadonlyMap<string, { readonly status: string; readonly reason?: string }>;
}

/** @throws Error if the service does not return the dog and its barks */
export async function storedOf(
  target: Target,
  { id, path }: { readonly id: string; readonly path: string },
): Promise<Stored> {
  const client = await target.client;
  const shown = await client.get(path);
  if (shown.status !== 200) throw new Error(`${path} responded with ${shown.status}: ${shown.text}`);
  const { barkCount, barking } = documentOf<Dog>(shown);
  const listed = (await allOf<Bark>(client, `${path}barks?limit=20`)).map((bark) => bark.id);
  // Several incarnations can have the same dog ID. The ETag contains the incarnation.
  const [, own] = /^"(\w+)\./.exec(header(shown, 'ETag')) ?? [];
  const items = (await itemsOf(target.directory, id)).filter(({ incarnation }) => incarnation === own);
  const history = items.filter(({ sk }) => isKeyOf('historyEntry', String(sk)));
  const barks = items.filter(({ sk }) => isKeyOf('asyncBark', String(sk)));
  return {
    barking,
    count: barkCount,
    listed,
    history: history.map(({ sk, barkId, timestamp, resource }) => ({
      id: String(barkId ?? `s${nameIn(String(sk))}`),
      timestamp: Number(timestamp),
      isRecorded: resource === true,
    })),
    barks: new Map(
      barks.map(({ sk, status, reason }) => [
        `a${nameIn(String(sk))}`,
        { status: String(status), ...(reason !== undefined && { reason: String(reason) }) },
      ]),
    ),
  };
}

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

/** The fields of a log line that the tests read. */
interface Line {
  readonly message?: { readonly event?: string; readonly bark?: string };
  readonly record?: { readonly status?: string; readonly errorType?: string };
}

function linesOf(directory: string, mark: string): { line: Line; name: string }[] {
  const logs = join(directory, 'logs');
  return readdirSync(logs).flatMap((name) =>
    readFileSync(join(logs, name), 'utf8')
      .split('\n')
      // A process that was killed may have left half a line.
      .filter((line) => line.includes(mark) && line.endsWith('}'))
      .map((line) => ({ line: JSON.parse(line), name })),
  );
}

/** Returns the IDs of the barks for which this event was logged. */
export function barksIn(directory: string, event: string): ReadonlySet<string> {
  return new Set(
    linesOf(directory, event).flatMap(({ line: { message } }) =>
      message?.event === event && message.bark ? [message.bark] : [],
    ),
  );
}

/** Returns the invocations that crashed or timed out. */
export function crashesIn(directory: string): string[] {
  return linesOf(directory, 'platform.report').flatMap(({ line: { record }, name }) =>
    record?.status === 'failure' || record?.status === 'timeout'
      ? [`${name}: ${record.status} ${record.errorType ?? ''}`]
      : [],
  );
}
