import { type AsyncBark, isOpen, type PendingMarker } from '../barks/async-bark.ts';
import { idOf, reasons } from '../barks/bark.ts';
import type { HistoryEntry } from '../barks/history-entry.ts';
import { isKeyOf, nameIn } from '../barks/keys.ts';
import type { SentBark } from '../barks/sent-bark.ts';
import { isRecorded } from '../dogs/dog.ts';
import type { DomainEvent } from './event.ts';
import type { ItemChange } from './item-change.ts';

type BarkItem = HistoryEntry | AsyncBark | PendingMarker | SentBark;

/** `BarkItem` lists the items of the barks table that can cause events. */
export function barkEventsOf(change: ItemChange): DomainEvent[] {
  const [before, after] = [change.before, change.after] as unknown as [
    BarkItem | undefined,
    BarkItem | undefined,
  ];
  if (!after) return before ? removalEvents(before, change.isExpiry) : [];
  const { sk } = after;
  if (isKeyOf('historyEntry', sk)) return entryEvents(before as HistoryEntry, after as HistoryEntry);
  if (isKeyOf('asyncBark', sk)) return asyncEvents(before as AsyncBark | undefined, after as AsyncBark);
  return isKeyOf('sentBark', sk) && !before ? [sentEvent(after as SentBark)] : [];
}

function entryEvents(before: HistoryEntry | undefined, after: HistoryEntry): DomainEvent[] {
  const { dog, timestamp, resource = false, barkId, mail } = after;
  const bark = idOf(after);
  const common = resource ? { resource: bark } : {};
  const events: DomainEvent[] = [];
  // The event for an asynchronous bark comes from the bark's own item.
  if (!before && barkId === undefined)
    events.push({
      ...common,
      id: `${bark}.completed`,
      type: 'dogs.bark.completed',
      data: { dog, bark, recorded: resource, timestamp },
    });
  if ((mail === 'failed' || mail === 'dropped') && before?.mail !== mail)
    events.push({
      ...common,
      id: `${bark}.mail-failed`,
      type: 'dogs.bark.mail-failed',
      data: { dog, bark, timestamp, reason: mail === 'dropped' ? 'limit-reached' : 'not-sent' },
    });
  return events;
}

function asyncEvents(before: AsyncBark | undefined, after: AsyncBark): DomainEvent[] {
  const { dog, status, timestamp = 0, effects, reason = '' } = after;
  if (isOpen(after) || (before && !isOpen(before))) return [];
  const bark = idOf(after);
  if (status === 'complete')
    return [
      {
        id: `${bark}.completed`,
        type: 'dogs.bark.completed',
        resource: bark,
        data: { dog, bark, recorded: isRecorded(effects), timestamp },
      },
    ];
  if (status === 'failed') return [failedEvent(dog, bark, reason)];
  return [{ id: `${bark}.cancelled`, type: 'dogs.bark.cancelled', resource: bark, data: { dog, bark } }];
}

/**
 * A transition to a final status deletes the pending marker. If the marker expires instead, no function settled the bark before
 * its deadline. Only the purge of a deleted dog deletes an open bark.
 */
function removalEvents(item: BarkItem, isExpiry: boolean): DomainEvent[] {
  const { dog, sk } = item;
  if (isExpiry && isKeyOf('pendingMarker', sk)) {
    const ulid = sk.slice(sk.lastIndexOf('#') + 1);
    return [failedEvent(dog, `a${ulid}`, reasons.notInTime)];
  }
  const isPurged = !isExpiry && isKeyOf('asyncBark', sk) && isOpen(item as AsyncBark);
  return isPurged ? [failedEvent(dog, idOf(item), reasons.dogDeleted)] : [];
}

function failedEvent(dog: string, bark: string, reason: string): DomainEvent {
  return { id: `${bark}.failed`, type: 'dogs.bark.failed', resource: bark, data: { dog, bark, reason } };
}

function sentEvent({ dog, sk, timestamp }: SentBark): DomainEvent {
  const bark = `s${nameIn(sk)}`;
  return {
    id: `${bark}.completed`,
    type: 'dogs.bark.completed',
    data: { dog, bark, recorded: false, timestamp },
  };
}
