import type { Bark, Dog, SettledBark } from '../../client/index.ts';
import { timeText } from './output.ts';

/** How many barks of a dog the text output shows. JSON has all that the service returns. */
const shownBarks = 5;

/** Returns a dog as people read it, with its latest barks first. */
export function dogView({ barks, suspended, ...dog }: Dog): object {
  const latest = barks?.previous.toReversed() ?? [];
  const earlier = latest.length - shownBarks;
  const suspensions = suspended?.map(
    ({ address, reason, since }) => `${address} (${reason}) since ${timeText(since, Date.now())}`,
  );
  return {
    ...dog,
    ...(latest.length > 0 && { previous: latest.slice(0, shownBarks) }),
    ...(earlier > 0 && { earlier: `${earlier} more` }),
    ...(barks?.next !== undefined && scheduleView({ next: barks.next, frequency: barks.frequency ?? null })),
    ...(suspensions && { suspended: suspensions.join('\n') }),
  };
}

/** Returns a bark with the ID of its dog instead of the URL. The last bark has neither. */
export function barkView({ dog, ...bark }: Partial<Bark> | SettledBark): object {
  return { ...(dog && { dog: dog.split('/').at(-2) }), ...bark };
}

/** Returns a bark as a row of one dog's list. */
export function barkRow({ dog: _, ...bark }: Bark): object {
  return bark;
}

/** Returns a schedule with its frequency in words. */
export function scheduleView<Schedule extends { next: number | null; frequency: number | null }>(
  schedule: Schedule,
): object {
  const { next, frequency } = schedule;
  const minutes = frequency === 1 ? 'every minute' : `every ${frequency} minutes`;
  const words = frequency ? minutes : 'once';
  return { ...schedule, frequency: next === null ? null : words };
}
