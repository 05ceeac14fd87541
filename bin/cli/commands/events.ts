import { setTimeout as sleep } from 'node:timers/promises';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import type { CloudEvent } from '../../../lambdas/domain/events/event.ts';
import { unavailableIfOutage } from '../../../lambdas/domain/platform/outage.ts';
import type { OperatorRun, Options } from '../command.ts';
import { CommandFailed } from '../errors.ts';
import { localTime } from '../output.ts';

/** CloudWatch Logs permits only a few reads a second. */
const pollIntervalMs = 1_000;

/** How late an event can become visible in the log. Each read begins at most this long before the latest event. */
const overlapMs = 30_000;

export const tailEvents: OperatorRun = async ({ options, outputs, print }) => {
  const { EventLog: logGroupName } = outputs;
  if (!logGroupName)
    throw new CommandFailed(
      'The service publishes no events. Turn on the setting "events", and deploy the stack again.',
    );
  let left = options.count ?? Number.POSITIVE_INFINITY;
  for await (const event of newEvents(logGroupName)) {
    if (!isWanted(event, options)) continue;
    print(`${options.json ? JSON.stringify(event) : lineOf(event)}\n`);
    left -= 1;
    if (left === 0) break;
  }
  return undefined;
};

/** Yields each event that the log receives from now on. Never ends. */
async function* newEvents(logGroupName: string): AsyncGenerator<CloudEvent> {
  const client = new CloudWatchLogsClient();
  let startTime = Date.now();
  let seen = new Map<string, number>();
  for (;;) {
    for await (const { eventId = '', timestamp = 0, message = '' } of read(client, logGroupName, startTime)) {
      if (seen.has(eventId)) continue;
      seen.set(eventId, timestamp);
      yield JSON.parse(message).detail;
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

function isWanted({ type, data }: CloudEvent, options: Options): boolean {
  return (
    (options.type === undefined || type === options.type || type.startsWith(`${options.type}.`)) &&
    (options.dog === undefined || data.dog === options.dog)
  );
}

function lineOf({ time, type, data }: CloudEvent): string {
  const values = Object.entries(data).map(([name, value]) => `${name}=${value}`);
  return [localTime(Date.parse(time) / 1000), type.padEnd(22), ...values].join(' ');
}
