import type { Bark, Dog, SettledBark } from '../../client/index.ts';
import { timeText } from './output.ts';

/** How many of a dog's barks the text output shows. The JSON output contains all that the service returns. */
const shownBarks = 5;

/** Returns a dog for the text output, with the newest barks first. */
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

/** Shows the dog's ID instead of its URL. `barks get` without a bark ID returns a bark that has no `dog`. */
export function barkView({ dog, ...bark }: Partial<Bark> | SettledBark): object {
  return { ...(dog && { dog: dog.split('/').at(-2) }), ...bark };
}

export function barkRow({ dog: _, ...bark }: Bark): object {
  return bark;
}

export function scheduleView<Schedule extends { next: number | null; frequency: number | null }>(
  schedule: Schedule,
): object {
  const { next, frequency } = schedule;
  const minutes = frequency === 1 ? 'every minute' : `every ${frequency} minutes`;
  const words = frequency ? minutes : 'once';
  return { ...schedule, frequency: next === null ? null : words };
}
