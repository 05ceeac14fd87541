import type { Dog } from '../../lambdas/domain/dogs/dog.ts';
import type { Schedule } from '../../lambdas/domain/dogs/schedule.ts';
import { at } from './context.ts';

export const minute = 60;
export const year = 365 * 24 * 60 * minute;

/** Returns a dog that has only a schedule, by default one with an occurrence every 10 minutes. */
export function dogWith(changes: Partial<Schedule>): Dog {
  return { schedule: { scheduleId: 'g', start: at, frequency: 10, ...changes } } as Dog;
}

export const withoutSchedule = {} as Dog;
export const over = dogWith({ frequency: null, lastOccurrence: at });
export const ended = dogWith({ ended: true });
/** The only occurrence was a year ago, and the dog has not barked. */
export const lostOnce = dogWith({ frequency: null, start: at - year });
