import type { Dog } from '../../../../lambdas/domain/dogs/dog.ts';
import type { Precondition } from '../../../../lambdas/domain/dogs/precondition.ts';
import { StateMismatch } from '../../../../lambdas/domain/dogs/precondition.ts';
import type { AppliedChange } from '../../../../lambdas/domain/schedules/applied-change.ts';
import {
  appliedPatch,
  appliedPost,
  applyPatch,
  DateInFuture,
  decidePatch,
  InvalidSchedule,
  ModifiedSince,
  newSchedule,
  type PatchRequest,
  type SchedulePatch,
} from '../../../../lambdas/domain/schedules/decisions.ts';
import { at, now } from '../../../support/context.ts';
import { dogWith, ended, lostOnce, over, withoutSchedule, year } from '../../../support/scheduled-dogs.ts';

describe('newSchedule', () => {
  test.each([
    ['begins at once', '0', 0],
    ['begins at once', 'this second', at],
    ['begins at once', 'a minute ago', at - 60],
    ['begins later', 'the next second', at + 1],
    ['begins later', 'in ten years', at + 10 * year],
  ])('returns a plan that %s for next = %s', (when, _, next) => {
    const atOnce = when === 'begins at once';
    expect(newSchedule(withoutSchedule, { next, frequency: 10 }, now)).toEqual({
      start: atOnce ? at : next,
      frequency: 10,
      ...(atOnce && { lastOccurrence: at }),
      atOnce,
    });
  });

  test.each([at - 60, at, at + 5])(
    'counts a bark that has happened at next = %i as the first one',
    (next) => {
      const dog = dogWith({ start: next - 600, lastOccurrence: next });
      const plan = { start: next, frequency: 20, lastOccurrence: next, atOnce: false };
      expect(newSchedule(dog, { next, frequency: 20 }, now)).toEqual(plan);
    },
  );

  test.each<[string, Dog, number]>([
    ['more than a minute ago, even if the dog has barked', dogWith({ lastOccurrence: at - 61 }), at - 61],
    ['more than ten years ahead', withoutSchedule, at + 10 * year + 1],
  ])('throws InvalidSchedule for a time %s', (_, dog, next) => {
    expect(() => newSchedule(dog, { next, frequency: 10 }, now)).toThrow(InvalidSchedule);
  });
});

describe('applyPatch', () => {
  const coming = dogWith({ start: at + 100 });
  const late = dogWith({ start: at - 200 });
  const barked = dogWith({ start: at - 60, lastOccurrence: at - 60 });
  const later = (start: number, frequency: number | null) => ({ start, frequency, atOnce: false });
  const atOnce = (frequency: number | null) => ({ start: at, frequency, lastOccurrence: at, atOnce: true });
  const once = later(at + 5, null);

  test.each<[string, Dog, SchedulePatch, unknown]>([
    ['keeps the frequency if only next is given', coming, { next: at + 200 }, later(at + 200, 10)],
    ['keeps next for another frequency', coming, { frequency: 20 }, later(at + 100, 20)],
    ['keeps next for the frequency null', coming, { frequency: null }, later(at + 100, null)],
    ['plans one occurrence for the frequency 0', coming, { next: at + 5, frequency: 0 }, once],
    ['plans one occurrence for next alone without a schedule', withoutSchedule, { next: at + 5 }, once],
    ['plans one occurrence for next alone if the schedule is over', over, { next: at + 5 }, once],
    ['plans one occurrence for next alone if the schedule was ended', ended, { next: at + 5 }, once],
    ['begins at once for next = 0', coming, { next: 0 }, atOnce(10)],
    ['begins at once if an occurrence is due', late, { frequency: 20 }, atOnce(20)],
    [
      'begins at once if an occurrence is due in the current second',
      dogWith({}),
      { frequency: 20 },
      atOnce(20),
    ],
    ['ends the schedule for null', coming, null, 'end'],
    ['ends the schedule for null even if its single occurrence was lost', lostOnce, null, 'end'],
    ['changes nothing for null if there is no schedule', withoutSchedule, null, 'unchanged'],
    ['changes nothing for null if the schedule is over', over, null, 'unchanged'],
    ['changes nothing without barks', coming, undefined, 'unchanged'],
    ['changes nothing for an empty object', withoutSchedule, {}, 'unchanged'],
    ['changes nothing for the current values', coming, { next: at + 100, frequency: 10 }, 'unchanged'],
    ['changes nothing for the current frequency', coming, { frequency: 10 }, 'unchanged'],
    ['changes nothing for the current next if it is due', late, { next: at - 200 }, 'unchanged'],
    ['changes nothing for a next at which the dog has just barked', barked, { next: at - 60 }, 'unchanged'],
    [
      'plans the next bark for another frequency and a next at which the dog has just barked',
      barked,
      { next: at - 60, frequency: 20 },
      { ...later(at - 60, 20), lastOccurrence: at - 60 },
    ],
  ])('%s', (_, dog, patch, expected) => {
    expect(applyPatch(dog, patch, now)).toEqual(expected);
  });

  test.each([
    ['there is no schedule', withoutSchedule],
    ['the schedule is over', over],
  ])('requires next if %s', (_, dog) => {
    expect(() => applyPatch(dog, { frequency: 10 }, now)).toThrow(
      expect.objectContaining({ field: 'next', message: 'is required, because no bark is scheduled' }),
    );
  });
});

describe('decidePatch', () => {
  const state = { incarnation: 'now', version: 7 };
  const dog = { ...dogWith({}), ...state, id: 'x', settingsModified: at - 10, lastModified: at - 5 } as Dog;
  const patch = { next: at + 200 };
  const decide =
    (changes: Partial<PatchRequest> = {}, of = dog, applied?: AppliedChange) =>
    () =>
      decidePatch(
        of,
        {
          user: undefined,
          since: at,
          body: Buffer.from('{}'),
          precondition: {},
          content: { patch },
          ...changes,
        },
        applied,
        now,
      );
  const change = { start: at + 200, frequency: 10, atOnce: false };
  const invalid = { content: { error: new Error('an invalid body') } } as unknown as Partial<PatchRequest>;
  const ahead = { ...dog, lastModified: at + 3600 };
  const match = [state];

  test.each<[string, Partial<PatchRequest>, Dog?]>([
    ['the date of the last change by a client', { since: at - 10 }],
    ['a date five minutes ahead', { since: at + 300 }],
    ['the date of a dog whose last change is further ahead', { since: at + 3600 }, ahead],
    ['an early date and the state of the dog', { since: 0, precondition: { match } }],
    ['a date in the future and any state', { since: at + 9999, precondition: { match: 'any' } }],
  ])('applies a patch with %s', (_, ...request) => {
    expect(decide(...request)()).toEqual(change);
  });

  test.each<[Error, string, Partial<PatchRequest>, Dog?]>([
    [new ModifiedSince(at - 10), 'an earlier date', { since: at - 11, precondition: { noneMatch: [] } }],
    [new DateInFuture(at), 'a later date', { since: at + 301 }],
    [new DateInFuture(at), 'a date after any change', { since: at + 3601 }, ahead],
    [new StateMismatch('x'), 'another state', { precondition: { match: [{ ...state, version: 8 }] } }],
    [new StateMismatch('x'), 'a refused state', { precondition: { noneMatch: match } }],
    [new Error('an invalid body'), 'an invalid body and an early date', { ...invalid, since: 0 }],
  ])('throws %p for %s', ({ name, message: _, stack: __, ...members }, ___, changes, ...of) => {
    expect(decide(changes, ...of)).toThrow(expect.objectContaining({ name, ...members }));
  });

  test('recognizes a repeat whatever its date and its body', () => {
    expect(decide({ ...invalid, since: 0 }, dog, {} as AppliedChange)()).toBe('repeated');
  });
});

const keyOf = (since: number, body: string, match?: Precondition['match']) =>
  appliedPatch({ since, body: Buffer.from(body), precondition: { match }, content: { patch: null } }).sk;

test('appliedPatch returns a key that depends on the date, the body and If-Match', () => {
  const keys = [keyOf(1, '{}'), keyOf(2, '{}'), keyOf(1, '{} '), keyOf(1, '{}', []), keyOf(1, '{}', 'any')];
  expect(new Set(keys).size).toBe(5);
  expect(keys[0]).toMatch(/^m#[\w-]{43}$/);
  expect(keyOf(1, '{}')).toBe(keys[0]);
});

test.each([
  [{}, 't#7', 10],
  [{ token: -0, frequency: 0 }, 't#0', null],
  [{ token: -1.5, frequency: null }, 't#-1.5', null],
])('appliedPost stores for %j the key %s and the frequency %p', (changes, sk, frequency) => {
  const request = { token: 7, next: at + 5, frequency: 10, ...changes };
  expect(appliedPost(request)).toEqual({ sk, next: at + 5, frequency });
});
