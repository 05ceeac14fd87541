import type { Bark, Dog } from '../../../client/index.ts';
import { dateAndTime, every } from '../../shared/time.ts';
import type { Entry } from './feed.ts';
import { occurrenceId } from './local-activity.ts';

export interface Snapshot {
  readonly dog: Dog;
  /** The latest barks. Absent if the console has not read them. */
  readonly barks?: readonly Bark[];
}

/**
 * Returns what happened to a dog between two reads. Returns no entries if the reads are of different dogs, or if `barkCount` has
 * fallen, which means that the dog was created again.
 *
 * @param now the time of the second read, in Unix seconds
 */
export function changes(before: Snapshot, after: Snapshot, now: number): Entry[] {
  const isSame = before.dog.id === after.dog.id && before.dog.barkCount <= after.dog.barkCount;
  if (!isSame) return [];
  const recorded = recordedChanges(before, after, now);
  const times = newTimes(before.dog.barks?.previous, after.dog.barks?.previous);
  // The time of a complete bark that is recorded is also in `times`.
  const others = newTimes(
    recorded.filter(({ text }) => text === complete).map(({ at }) => at),
    times,
  );
  const id = after.dog.id;
  const barked = others.map(
    (at, i): Entry => ({ id: `barked:${id}:${at}:${i}`, at, kind: 'bark', dog: id, text: complete }),
  );
  return [...recorded, ...barked, ...scheduleChanges(before.dog, after.dog, times, now)];
}

const complete = 'Bark complete';

const outcomes = {
  pending: { kind: 'bark', text: 'Bark accepted', prefix: 'accepted' },
  complete: { kind: 'bark', text: complete, prefix: 'outcome' },
  failed: { kind: 'bark', text: 'Bark failed', prefix: 'outcome' },
  cancelled: { kind: 'cancellation', text: 'Bark cancelled', prefix: 'cancelled' },
} as const;

function recordedChanges(before: Snapshot, after: Snapshot, now: number): Entry[] {
  if (!before.barks || !after.barks) return [];
  const known = new Map(before.barks.map(({ id, status }) => [id, status]));
  return after.barks
    .filter(({ id, status }) => known.get(id) !== status)
    .map(({ id, status, timestamp, reason }) => {
      const { prefix, ...entry } = outcomes[status];
      return {
        id: `${prefix}:${id}`,
        at: timestamp ?? now,
        dog: after.dog.id,
        ...entry,
        ...(reason && { detail: reason }),
        ...(status === 'failed' && { hasFailed: true }),
      };
    });
}

/** Returns the times that occur more often in `after` than in `before`. */
function newTimes(before: readonly number[] = [], after: readonly number[] = []): number[] {
  const left = [...before];
  return after.filter((time) => {
    const i = left.indexOf(time);
    if (i >= 0) left.splice(i, 1);
    return i < 0;
  });
}

/** @param times the times of the new barks */
function scheduleChanges(before: Dog, after: Dog, times: readonly number[], now: number): Entry[] {
  const { next: expected, frequency: minutes } = before.barks ?? {};
  const { next, frequency } = after.barks ?? {};
  const entry = { kind: 'schedule', dog: after.id, at: now } as const;
  const detail =
    next === undefined
      ? {}
      : { detail: `Next at ${dateAndTime(next)}${frequency ? `, ${every(frequency)}` : ''}` };
  if (next === expected && frequency === minutes) return [];
  const id = `schedule:${after.id}:${next}:${frequency}:${now}`;
  if (expected === undefined) return [{ ...entry, id, text: 'Schedule set', ...detail }];
  const hasOccurred = times.some((time) => time >= expected);
  const isNextOccurrence =
    minutes && next !== undefined && frequency === minutes
      ? next > expected && (next - expected) % (minutes * 60) === 0
      : next === undefined && !minutes;
  if (hasOccurred && isNextOccurrence)
    return [
      {
        id: occurrenceId(after.id, expected),
        at: expected,
        kind: 'occurrence',
        dog: after.id,
        text: 'Occurrence delivered',
        detail: `Scheduled for ${dateAndTime(expected)}`,
      },
    ];
  return [{ ...entry, id, text: next === undefined ? 'Schedule ended' : 'Schedule changed', ...detail }];
}
