import fc from 'fast-check';
import * as v from 'valibot';
import type { Dog } from '../../../../lambdas/domain/dogs/dog.ts';
import { InvalidSchedule } from '../../../../lambdas/domain/platform/errors.ts';
import {
  applyPatch,
  isLive,
  newScheduleId,
  nextOccurrence,
  occurrenceAfter,
  occurrenceUlid,
  planOf,
  type Schedule,
  type SchedulePatch,
} from '../../../../lambdas/domain/schedules/schedule.ts';
import { BarkScheduleDocument, DogPatchDocument } from '../../../../lambdas/domain/schedules/schema.ts';

const now = Date.UTC(2026, 10, 21, 12);
const at = now / 1000;
const minute = 60;
const year = 365 * 24 * 60 * minute;

function dogWith(schedule?: Partial<Schedule>, lastOccurrence?: number): Dog {
  return {
    ...(schedule && {
      schedule: {
        scheduleId: 'g',
        start: at,
        frequency: 10,
        ...(lastOccurrence !== undefined && { lastOccurrence }),
        ...schedule,
      },
    }),
  } as Dog;
}

describe('occurrenceAfter', () => {
  test('returns the start and then one occurrence every `frequency` minutes', () => {
    const schedule = { start: at, frequency: 10 };
    expect(occurrenceAfter(schedule, at - 1)).toBe(at);
    expect(occurrenceAfter(schedule, at)).toBe(at + 10 * minute);
    expect(occurrenceAfter(schedule, at + 1)).toBe(at + 10 * minute);
    expect(occurrenceAfter(schedule, at + 10 * minute)).toBe(at + 20 * minute);
  });

  test('returns only the start if there is no frequency', () => {
    expect(occurrenceAfter({ start: at, frequency: null }, at - year)).toBe(at);
    expect(occurrenceAfter({ start: at, frequency: null }, at)).toBeNull();
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

describe('nextOccurrence', () => {
  test.each([
    ['null without a schedule', dogWith(), null],
    ['null after the end of the schedule', dogWith({ ended: true }), null],
    ['the start, before the first bark', dogWith({ start: at + 90 }), at + 90],
    ['the occurrence after the last bark', dogWith({}, at), at + 10 * minute],
    [
      'the start, even if the dog has barked at a later time by an earlier schedule',
      { ...dogWith({ start: at + 5, frequency: null }), lastOccurrence: at + 30 },
      at + 5,
    ],
    ['null after the only occurrence', dogWith({ frequency: null }, at), null],
    ['an occurrence that is five minutes late', dogWith({ start: at - 300 }), at - 300],
    [
      'the first future occurrence if one is more than five minutes late',
      dogWith({ start: at - 301 }),
      at - 301 + 600,
    ],
    [
      'an occurrence in this second after a lost occurrence',
      dogWith({ start: at - 1200 }, at - 1200 - 600),
      at,
    ],
    ['null after a single occurrence that was lost', dogWith({ start: at - 301, frequency: null }), null],
  ])('returns %s', (_, dog, expected) => {
    expect(nextOccurrence(dog, now)).toBe(expected);
  });
});

describe('isLive', () => {
  test.each([
    ['a schedule', dogWith({}), true],
    ['no schedule', dogWith(), false],
    ['an ended schedule', dogWith({ ended: true }), false],
    ['a single occurrence in the future', dogWith({ frequency: null }), true],
    ['a single occurrence that has passed', dogWith({ frequency: null }, at), false],
    ['a single occurrence that was lost', dogWith({ frequency: null, start: at - year }), true],
  ])('returns, for %s, %j', (_, dog, expected) => {
    expect(isLive(dog)).toBe(expected);
  });
});

describe('planOf', () => {
  test.each([
    ['0', 0],
    ['this second', at],
    ['a minute ago', at - 60],
  ])('returns a plan that begins at once for next = %s', (_, next) => {
    expect(planOf({ next, frequency: 10 }, now)).toEqual({
      start: at,
      frequency: 10,
      atOnce: true,
    });
  });

  test.each([at + 1, at + 10 * year])('returns a plan that begins later for next = %i', (next) => {
    expect(planOf({ next, frequency: null }, now)).toEqual({
      start: next,
      frequency: null,
      atOnce: false,
    });
  });

  test.each([
    [
      at - 61,
      /^must be at most 60 seconds in the past, but is Sat, 21 Nov 2026 11:58:59 GMT; the service's clock shows Sat, 21 Nov 2026 12:00:00 GMT; send 0 to mean now$/,
    ],
    [1, /Thu, 01 Jan 1970/],
    [at + 10 * year + 1, /^must be at most ten years ahead$/],
    [now, /send seconds, not milliseconds/],
    [Number.MAX_SAFE_INTEGER, /^must be at most ten years ahead$/],
  ])('throws InvalidSchedule for next = %i', (next, reason) => {
    const plan = () => planOf({ next, frequency: 10 }, now);
    expect(plan).toThrow(InvalidSchedule);
    expect(plan).toThrow(expect.objectContaining({ field: 'next', message: expect.stringMatching(reason) }));
  });
});

describe('applyPatch', () => {
  const coming = dogWith({ start: at + 100 });
  const over = dogWith({ frequency: null }, at);
  const later = (start: number, frequency: number | null) => ({ start, frequency, atOnce: false });
  const atOnce = (frequency: number | null) => ({ start: at, frequency, atOnce: true });

  test.each<[string, Dog, SchedulePatch, unknown]>([
    ['keeps the frequency if only next is given', coming, { next: at + 200 }, later(at + 200, 10)],
    [
      'keeps next if only the frequency is given',
      coming,
      { frequency: 20 },
      { ...later(at + 100, 20), keepsNext: true },
    ],
    [
      'plans one occurrence for the frequency null',
      coming,
      { frequency: null },
      { ...later(at + 100, null), keepsNext: true },
    ],
    ['plans one occurrence for the frequency 0', coming, { next: at + 5, frequency: 0 }, later(at + 5, null)],
    [
      'plans one occurrence if only next is given and there is no schedule',
      dogWith(),
      { next: at + 5 },
      later(at + 5, null),
    ],
    [
      'plans one occurrence if only next is given and the schedule is over',
      over,
      { next: at + 5 },
      later(at + 5, null),
    ],
    [
      'plans one occurrence if only next is given and the schedule was ended',
      dogWith({ ended: true }),
      { next: at + 5 },
      later(at + 5, null),
    ],
    ['begins at once for next = 0', coming, { next: 0 }, atOnce(10)],
    [
      'begins at once if an occurrence is due',
      dogWith({ start: at - 200 }),
      { frequency: 20 },
      { ...atOnce(20), keepsNext: true },
    ],
    [
      'begins at once if an occurrence is due in the current second',
      dogWith({ start: at }),
      { frequency: 20 },
      { ...atOnce(20), keepsNext: true },
    ],
    ['ends the schedule for null', coming, null, 'end'],
    [
      'ends the schedule for null even if its single occurrence was lost',
      dogWith({ frequency: null, start: at - year }),
      null,
      'end',
    ],
    ['changes nothing for null if there is no schedule', dogWith(), null, 'unchanged'],
    ['changes nothing for null if the schedule is over', over, null, 'unchanged'],
    ['changes nothing without barks', coming, undefined, 'unchanged'],
    ['changes nothing for an empty object', dogWith(), {}, 'unchanged'],
    ['changes nothing for the current values', coming, { next: at + 100, frequency: 10 }, 'unchanged'],
    ['changes nothing for the current frequency', coming, { frequency: 10 }, 'unchanged'],
    [
      'changes nothing for the current next if it is due',
      dogWith({ start: at - 200 }),
      { next: at - 200 },
      'unchanged',
    ],
  ])('%s', (_, dog, patch, expected) => {
    expect(applyPatch(dog, patch, now)).toEqual(expected);
  });

  test.each([
    ['there is no schedule', dogWith()],
    ['the schedule is over', over],
  ])('requires next if %s', (_, dog) => {
    expect(() => applyPatch(dog, { frequency: 10 }, now)).toThrow(
      expect.objectContaining({ field: 'next', message: 'is required, because no bark is scheduled' }),
    );
  });
});

describe('BarkScheduleDocument and DogPatchDocument', () => {
  const issuesOf = (schema: v.GenericSchema, document: unknown) =>
    (v.safeParse(schema, document).issues ?? []).map((issue) => [v.getDotPath(issue), issue.message]);

  test.each([0, 10, 525_600, null, undefined])('accept the frequency %p', (frequency) => {
    const document = { token: 1, next: 0, ...(frequency !== undefined && { frequency }) };
    expect(v.parse(BarkScheduleDocument, document)).toEqual({
      token: 1,
      next: 0,
      frequency: frequency ?? null,
    });
    const patch = { barks: { next: 0, ...(frequency !== undefined && { frequency }) } };
    expect(v.parse(DogPatchDocument, patch)).toEqual(patch);
  });

  test.each([-1, 0.5, 525_601, '10', true, [], {}])('reject the frequency %j', (frequency) => {
    const why = 'must be a whole number of minutes from 1 to 525600, or 0 to bark once';
    expect(issuesOf(BarkScheduleDocument, { token: 1, next: 0, frequency })).toContainEqual([
      'frequency',
      why,
    ]);
    expect(issuesOf(DogPatchDocument, { barks: { frequency } })).toContainEqual(['barks.frequency', why]);
  });

  test.each([
    [-1, 'must not be negative'],
    [0.5, 'must be a whole number of seconds'],
    ['0', 'must be a time in Unix seconds, or 0 to mean now'],
    [true, 'must be a time in Unix seconds, or 0 to mean now'],
  ])('reject the next %j', (next, why) => {
    expect(issuesOf(BarkScheduleDocument, { token: 1, next })).toContainEqual(['next', why]);
    expect(issuesOf(DogPatchDocument, { barks: { next } })).toContainEqual(['barks.next', why]);
  });

  test('reject null for next with a message about how to end a schedule', () => {
    expect(issuesOf(DogPatchDocument, { barks: { next: null } })).toEqual([
      ['barks.next', 'must not be null; send {"barks": null} to end the schedule'],
    ]);
  });

  test.each([0, -0, 42, -7, 1.5, 1e-300, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
    'accept the token %p',
    (token) => {
      expect(v.is(BarkScheduleDocument, { token, next: 0 })).toBe(true);
    },
  );

  test.each([
    ['9007199254740992', /^must be from -9007199254740991 to 9007199254740991$/],
    ['-9007199254740993', /^must be from -9007199254740991 to 9007199254740991$/],
    ['1e300', /^must be from -9007199254740991 to 9007199254740991$/],
    ['1e999', /^must be from -9007199254740991 to 9007199254740991$/],
    ['"1"', /must be a number/],
    ['null', /must be a number/],
  ])('reject the token %s', (token, why) => {
    const [[field, message] = [], ...others] = issuesOf(BarkScheduleDocument, {
      token: JSON.parse(token),
      next: 0,
    });
    expect([field, others]).toEqual(['token', []]);
    expect(message).toMatch(why);
  });

  test('report missing fields', () => {
    expect(issuesOf(BarkScheduleDocument, {})).toEqual([
      ['token', 'is required'],
      ['next', 'is required'],
    ]);
    expect(issuesOf(BarkScheduleDocument, 7)).toEqual([[null, 'must be a JSON object']]);
  });

  test('accept and ignore the fields that only the service changes', () => {
    const shown = {
      id: 'rex',
      barkCount: 3,
      barking: false,
      barks: { previous: [1], next: 0, frequency: 10 },
    };
    expect(v.is(DogPatchDocument, shown)).toBe(true);
  });

  test.each(['email', 'owner', 'barkEffects', 'barkHandling'])(
    'report that %s is changed by PUT',
    (field) => {
      expect(issuesOf(DogPatchDocument, { [field]: null })).toEqual([
        [field, 'cannot be changed with PATCH; change it with PUT'],
      ]);
    },
  );

  test.each([[[]], [{ barks: [] }], [7], [null], [{ barks: 7 }], [{ bark: {} }], [{ barks: { nxt: 0 } }]])(
    'are not %j',
    (document) => {
      expect(v.is(DogPatchDocument, document)).toBe(false);
    },
  );
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
