import type { Dog } from '../../lambdas/domain/dogs/dog.ts';
import type { Schedule } from '../../lambdas/domain/dogs/schedule.ts';
import { at } from './context.ts';

export const minute = 60;
export const year = 365 * 24 * 60 * minute;

/** Returns a dog with only a schedule. It barks every 10 minutes, unless the changes differ. */
export function dogWith(changes: Partial<Schedule>): Dog {
  return { schedule: { scheduleId: 'g', start: at, frequency: 10, ...changes } } as Dog;
}

export const withoutSchedule = {} as Dog;
export const over = dogWith({ frequency: null, lastOccurrence: at });
export const ended = dogWith({ ended: true });
/** The only occurrence was a year ago, and the dog has not barked. */
export const lostOnce = dogWith({ frequency: null, start: at - year });
