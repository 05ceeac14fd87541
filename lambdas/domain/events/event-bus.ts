import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { environment } from '../../environment.ts';
import { Unavailable } from '../platform/errors.ts';
import { unavailableIfOutage } from '../platform/outage.ts';
import type { RequestContext } from '../platform/request-context.ts';

export const eventBridge = new EventBridgeClient({
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
});

/** The maximum for PutEvents. Ten of this service's events are far below a call's size limit. */
const maxEntries = 10;

interface BusEvent {
  readonly type: string;
  readonly time: string;
}

/** How many events EventBridge accepted before the first failure, and the error. */
interface PutResult {
  readonly accepted: number;
  readonly error?: unknown;
}

/**
 * Sends events in order, and stops after the first call that EventBridge does not fully accept. Not safe to call twice.
 *
 * @see {@link https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html PutEvents}
 */
export async function putEvents(events: readonly BusEvent[], context: RequestContext): Promise<PutResult> {
  let accepted = 0;
  while (accepted < events.length) {
    const batch = events.slice(accepted, accepted + maxEntries);
    try {
      const count = await putBatch(batch, context);
      accepted += count;
      if (count < batch.length)
        return {
          accepted,
          error: new Unavailable('EventBridge did not accept an event. Send it again later.'),
        };
    } catch (error) {
      return { accepted, error: unavailableIfOutage('EventBridge', error) };
    }
  }
  return { accepted };
}

async function putBatch(batch: readonly BusEvent[], context: RequestContext): Promise<number> {
  const command = new PutEventsCommand({
    Entries: batch.map((event) => ({
      EventBusName: environment('EVENT_BUS'),
      Source: 'dogs',
      DetailType: event.type,
      Detail: JSON.stringify(event),
      Time: new Date(event.time),
    })),
  });
  const { FailedEntryCount, Entries = [] } = await eventBridge.send(command, { abortSignal: context.signal });
  if (!FailedEntryCount) return batch.length;
  const failed = Entries.findIndex(({ ErrorCode }) => ErrorCode !== undefined);
  return Math.max(0, failed);
}
