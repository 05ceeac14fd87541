import { randomUUID } from 'node:crypto';
import type { Emulator } from '../endpoint/emulator.ts';
import { jsonOperations } from '../endpoint/json-operations.ts';
import { report } from '../platform/activity.ts';
import type { Clock } from '../platform/clock.ts';
import { parseJson } from '../platform/json.ts';
import { check } from '../platform/service-error.ts';
import { account, region } from '../template/arns.ts';
import { type BusEvent, defaultBus, type EventBus } from './event-bus.ts';

interface Entry {
  readonly EventBusName?: string;
  readonly Source?: string;
  readonly DetailType?: string;
  readonly Detail?: string;
  readonly Resources?: readonly string[];
  /** Unix seconds. */
  readonly Time?: number;
}

const maximumEntries = 10;

/** The limit for the total size of a call's entries. */
const maximumBytes = 1024 * 1024;

/**
 * Like EventBridge, validates the content of each entry separately, and accepts the valid ones.
 *
 * @see {@link https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html PutEvents}
 */
export function createEventBridgeEmulator(bus: EventBus, clock: Pick<Clock, 'now'>): Emulator {
  return jsonOperations(
    'EventBridge',
    { PutEvents: ({ Entries = [] }: { Entries?: readonly Entry[] }) => putAll(Entries, bus, clock.now()) },
    'application/x-amz-json-1.1',
  );
}

function putAll(entries: readonly Entry[], bus: EventBus, now: number): object {
  checkValid(entries.length > 0, lengthMessage('greater than or equal to 1'));
  checkValid(entries.length <= maximumEntries, lengthMessage(`less than or equal to ${maximumEntries}`));
  checkValid(
    entries.reduce((sum, entry) => sum + sizeOf(entry), 0) <= maximumBytes,
    'Total size of the entries in the request is over the limit.',
  );
  const areKnown = entries.every(({ EventBusName = defaultBus }) => bus.has(busNameIn(EventBusName)));
  check(areKnown, 'ResourceNotFoundException', 'Event bus does not exist.');
  const results = entries.map((entry) => putOne(entry, bus, now));
  const failed = results.filter((result) => 'ErrorCode' in result).length;
  return { FailedEntryCount: failed, Entries: results };
}

function putOne(entry: Entry, bus: EventBus, now: number): object {
  const { Source = '', DetailType = '', Detail = '', Resources = [], Time, EventBusName } = entry;
  const detail = parseJson(Detail);
  if (!Source || !DetailType || detail !== Object(detail) || Array.isArray(detail))
    return {
      ErrorCode: 'InvalidArgument',
      ErrorMessage: 'The entry needs a Source, a DetailType, and a Detail that is a JSON object.',
    };
  // Only AWS services can send events from these sources.
  if (Source.startsWith('aws.'))
    return {
      ErrorCode: 'NotAuthorizedForSourceException',
      ErrorMessage: 'Not authorized for the source.',
    };
  const EventId = randomUUID();
  const event: BusEvent = {
    version: '0',
    id: EventId,
    'detail-type': DetailType,
    source: Source,
    account,
    time: new Date(Time === undefined ? now : Time * 1000).toISOString().replace('.000Z', 'Z'),
    region,
    resources: Resources,
    detail: detail as BusEvent['detail'],
  };
  bus.put(event, busNameIn(EventBusName ?? defaultBus));
  report({ type: 'event', source: Source, detailType: DetailType, detail });
  return { EventId };
}

function busNameIn(nameOrArn: string): string {
  return nameOrArn.slice(nameOrArn.lastIndexOf('/') + 1);
}

/** @see {@link https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html The size of an entry} */
function sizeOf({ Source = '', DetailType = '', Detail = '', Resources = [], Time }: Entry): number {
  const texts = [Source, DetailType, Detail, ...Resources];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), Time === undefined ? 0 : 14);
}

function lengthMessage(limit: string): string {
  return `1 validation error detected: Value '[PutEventsRequestEntry]' at 'entries' failed to satisfy constraint: Member must have length ${limit}`;
}

function checkValid(condition: unknown, message: string): void {
  check(condition, 'ValidationException', message);
}
