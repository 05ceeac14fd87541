import { environment } from '../../environment.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { barkEventsOf } from './bark-events.ts';
import { dogEventsOf } from './dog-events.ts';
import type { CloudEvent, DomainEvent } from './event.ts';
import { putEvents } from './event-bus.ts';
import type { ItemChange } from './item-change.ts';

/** The maximum length of a stream's sequence number. */
const sequenceDigits = 40;

/**
 * Publishes events in order, each at least once. Safe to call again, because an event that is published again has the same ID.
 *
 *     PutEvents (10 events) ──── PutEvents (10 events) ──── response to Lambda
 *                            ↑                          ↑
 *            Lambda sends the changes again: some events are published twice
 *
 * @param changes from one shard of a stream, in the shard's order
 * @returns the first change whose events were not all published, or undefined. Events of later changes may have been published
 */
export async function publishEvents(
  changes: readonly ItemChange[],
  context: RequestContext,
): Promise<ItemChange | undefined> {
  const events = changes.flatMap((change) =>
    eventsOf(change).map((event, index) => ({ change, event: cloudEventOf(event, change, index) })),
  );
  const { accepted, error } = await putEvents(
    events.map(({ event }) => event),
    context,
  );
  const unpublished = events[accepted]?.change;
  // If the function returned the first change instead of throwing, Lambda would not count the failure as an error.
  if (unpublished && unpublished === changes[0]) throw error;
  if (unpublished) console.warn(`Lambda must send some changes again. Cause: ${error}`);
  return unpublished;
}

function eventsOf(change: ItemChange): DomainEvent[] {
  return 'sk' in (change.after ?? change.before ?? {}) ? barkEventsOf(change) : dogEventsOf(change);
}

function cloudEventOf(
  { id, type, resource, data }: DomainEvent,
  { at, sequenceNumber }: ItemChange,
  index: number,
): CloudEvent {
  return {
    specversion: '1.0',
    id,
    source: environment('EVENT_SOURCE'),
    type,
    subject: `/v1/dogs/${data.dog}/${resource === undefined ? '' : `barks/${resource}`}`,
    time: new Date(at).toISOString(),
    datacontenttype: 'application/json',
    dataschema: `urn:dogs:events#/$defs/${type}`,
    sequence: `${sequenceNumber.padStart(sequenceDigits, '0')}.${index}`,
    data,
  };
}
