import type { CloudEvent } from '../../lambdas/domain/events/event.ts';

interface PutEvents {
  readonly Entries: readonly { readonly Detail: string }[];
}

/** The events that EventBridge accepted, in order, by dog. */
const published = new Map<string, CloudEvent[]>();

/** Returns the events of a dog that EventBridge accepted, in order. An event that was published twice is in the list twice. */
export function publishedOf(dog: string): readonly CloudEvent[] {
  return published.get(dog) ?? [];
}

/** Returns the response to a PutEvents call. @param refused the index of the entry that is not accepted; -1 for none */
export function acceptEntries({ Entries }: PutEvents, refused = -1): object {
  const results = Entries.map(({ Detail }, index) => {
    if (index === refused) return { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' };
    const event = JSON.parse(Detail) as CloudEvent;
    published.set(event.data.dog, [...publishedOf(event.data.dog), event]);
    return { EventId: crypto.randomUUID() };
  });
  return { FailedEntryCount: refused < 0 ? 0 : 1, Entries: results };
}

/** Accepts all entries of a PutEvents call except the one in the middle. */
export function acceptOthers(call: PutEvents): object {
  return acceptEntries(call, Math.floor(call.Entries.length / 2));
}
