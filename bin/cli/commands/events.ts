import { setTimeout as sleep } from 'node:timers/promises';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import * as v from 'valibot';
import { jsonOf } from '../../../lambdas/domain/platform/json.ts';
import { unavailableIfOutage } from '../../../lambdas/domain/platform/outage.ts';
import { printableJson } from '../../printable.ts';
import { CommandFailed } from '../errors.ts';
import type { OperatorRun } from '../operator-group.ts';
import type { Options } from '../options.ts';
import { localTime } from '../output.ts';
import { isShallow } from '../responses.ts';

/** CloudWatch Logs permits only a few reads a second. */
const pollIntervalMs = 1_000;

/** How late an event can become visible in the log. Each read begins at most this long before the latest event. */
const overlapMs = 30_000;

/** What the command relies on in a CloudEvent. */
const Event = v.looseObject({ time: v.string(), type: v.string(), data: v.record(v.string(), v.unknown()) });

type Event = v.InferOutput<typeof Event>;

const LogEntry = v.object({ detail: Event });

export const tail: OperatorRun = async ({ options, outputs, print, notice }) => {
  const { EventLog: logGroupName } = outputs;
  if (!logGroupName)
    throw new CommandFailed(
      'The service publishes no events. Turn on the setting "events", and deploy the stack again.',
    );
  let left = options.count ?? Number.POSITIVE_INFINITY;
  for await (const text of newEntries(logGroupName)) {
    const entry = jsonOf(text);
    if (!isShallow(entry) || !v.is(LogEntry, entry)) {
      notice(`The log ${logGroupName} has an entry that is not an event of the service.`);
      continue;
    }
    const event = entry.detail;
    if (!isWanted(event, options)) continue;
    print(`${options.json ? printableJson(event) : lineOf(event)}\n`);
    left -= 1;
    if (left === 0) break;
  }
  return undefined;
};

/** Yields each entry that the log receives from now on. Never ends. */
async function* newEntries(logGroupName: string): AsyncGenerator<string> {
  const client = new CloudWatchLogsClient();
  let startTime = Date.now();
  let seen = new Map<string, number>();
  for (;;) {
    for await (const { eventId = '', timestamp = 0, message = '' } of read(client, logGroupName, startTime)) {
      if (seen.has(eventId)) continue;
      seen.set(eventId, timestamp);
      yield message;
    }
    startTime = Math.max(startTime, Math.max(0, ...seen.values()) - overlapMs);
    seen = new Map([...seen].filter(([, timestamp]) => timestamp >= startTime));
    await sleep(pollIntervalMs);
  }
}

async function* read(client: CloudWatchLogsClient, logGroupName: string, startTime: number) {
  let nextToken: string | undefined;
  do {
    const command = new FilterLogEventsCommand({ logGroupName, startTime, nextToken });
    const page = await client.send(command).catch((error) => {
      throw unavailableIfOutage('CloudWatch Logs', error);
    });
    yield* page.events ?? [];
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
}

function isWanted({ type, data }: Event, options: Options): boolean {
  return (
    (options.type === undefined || type === options.type || type.startsWith(`${options.type}.`)) &&
    (options.dog === undefined || data.dog === options.dog)
  );
}

function lineOf({ time, type, data }: Event): string {
  const values = Object.entries(data).map(([name, value]) => `${name}=${value}`);
  return [localTime(Date.parse(time) / 1000), type.padEnd(22), ...values].join(' ');
}
