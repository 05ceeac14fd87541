import fc from 'fast-check';
import type { Dog } from '../../../../lambdas/domain/dogs/dog.ts';
import {
  isLive,
  newScheduleId,
  nextOccurrence,
  occurrenceAfter,
  occurrenceUlid,
} from '../../../../lambdas/domain/dogs/schedule.ts';
import { at, now } from '../../../support/context.ts';
import {
  dogWith,
  ended,
  lostOnce,
  minute,
  over,
  withoutSchedule,
  year,
} from '../../../support/scheduled-dogs.ts';

const barkedNow = dogWith({ lastOccurrence: at });

describe('occurrenceAfter', () => {
  test.each([
    ['the only occurrence', at - year, at],
    ['null', at, null],
  ])('returns %s of a schedule that does not repeat, for the time %i', (_, time, expected) => {
    expect(occurrenceAfter({ start: at, frequency: null }, time)).toBe(expected);
  });

  test('returns the first occurrence after any time', () => {
    fc.assert(
      fc.property(
        fc.nat(2 ** 31),
        fc.integer({ min: 1, max: 525_600 }),
        fc.nat(2 ** 32),
        (start, frequency, time) => {
          const next = occurrenceAfter({ start, frequency }, time) ?? Number.NaN;
          expect(next).toBeGreaterThan(time);
          expect((next - start) % (frequency * minute)).toBe(0);
          expect(next === start || next - frequency * minute <= time).toBe(true);
        },
      ),
    );
  });
});

test.each<[string, Dog, number | null]>([
  ['null without a schedule', withoutSchedule, null],
  ['null after the end of the schedule', ended, null],
  ['the start, before the first bark', dogWith({ start: at + 90 }), at + 90],
  ['the occurrence after the last bark', barkedNow, at + 10 * minute],
  [
    'the start, even if the dog has barked at a later time by an earlier schedule',
    { ...dogWith({ start: at + 5, frequency: null }), lastOccurrence: at + 30 },
    at + 5,
  ],
  ['null after the only occurrence', over, null],
  ['an occurrence that is five minutes late', dogWith({ start: at - 300 }), at - 300],
  ['the first future one after an occurrence that is later', dogWith({ start: at - 301 }), at - 301 + 600],
  [
    'an occurrence in this second after a lost occurrence',
    dogWith({ start: at - 1200, lastOccurrence: at - 1800 }),
    at,
  ],
  ['null after a single occurrence that was lost', dogWith({ start: at - 301, frequency: null }), null],
])('nextOccurrence returns %s', (_, dog, expected) => {
  expect(nextOccurrence(dog, now)).toBe(expected);
});

test.each<[boolean, string, Dog]>([
  [true, 'a schedule', dogWith({})],
  [true, 'a schedule whose dog has just barked', barkedNow],
  [false, 'no schedule', withoutSchedule],
  [false, 'an ended schedule', ended],
  [true, 'a single occurrence in the future', dogWith({ frequency: null })],
  [false, 'a single occurrence that has passed', over],
  [true, 'a single occurrence that was lost', lostOnce],
])('isLive returns %p for %s', (expected, _, dog) => {
  expect(isLive(dog)).toBe(expected);
});

describe('newScheduleId and occurrenceUlid', () => {
  test('return an ID that fits into the 64 characters of a schedule name together with a dog ID of 40 characters', () => {
    expect(`${'d'.repeat(40)}.${newScheduleId(now)}`).toMatch(/^[0-9a-zA-Z._-]{1,64}$/);
    expect(newScheduleId(now)).not.toBe(newScheduleId(now));
  });

  test('return the same ULID for the same occurrence, and the ULIDs sort by time', () => {
    const schedule = { scheduleId: 'g', start: at, frequency: 10 };
    const ulids = [at, at + 600, at + 1200].map((scheduledAt) => occurrenceUlid(schedule, scheduledAt));
    expect(ulids).toEqual([...ulids].sort());
    for (const ulid of ulids) expect(ulid).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(occurrenceUlid(schedule, at)).toBe(ulids[0]);
    expect(occurrenceUlid({ ...schedule, scheduleId: 'h' }, at)).not.toBe(ulids[0]);
  });
});
