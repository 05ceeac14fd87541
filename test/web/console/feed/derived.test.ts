import type { Bark, Dog } from '../../../../client/index.ts';
import { changes, type Snapshot } from '../../../../web/console/feed/derived.ts';
import { dateAndTime } from '../../../../web/shared/time.ts';

const now = 1_795_356_200;
const next = now - 20;

const dog = (barks?: Dog['barks'], barkCount = 0): Dog => ({
  id: 'rex',
  barkCount,
  barkEffects: ['record'],
  barkHandling: 'sync',
  barking: false,
  ...(barks && { barks }),
});
const bark = (id: string, status: Bark['status'], more: Partial<Bark> = {}): Bark => ({
  id,
  dog: 'http://127.0.0.1:3000/v1/dogs/rex/',
  timestamp: status === 'complete' ? now - 5 : null,
  status,
  ...more,
});
const changed = (before: Snapshot, after: Snapshot) => changes(before, after, now);
const withBarks = (barks: readonly Bark[]): Snapshot => ({ dog: dog(), barks });
const withSchedule = (schedule: Partial<NonNullable<Dog['barks']>>): Snapshot => ({
  dog: dog({ previous: [], ...schedule }),
});

describe('changes() between two reads of a dog', () => {
  const same = { dog: dog({ previous: [1, 2], next, frequency: 5 }, 2), barks: [bark('s1', 'complete')] };
  const after = { dog: dog({ previous: [5] }, 1) };

  test.each<[string, Snapshot, Snapshot]>([
    ['if nothing has changed', same, same],
    ['for another dog', { dog: { ...dog(), id: 'fido' } }, after],
    ['for a dog that was created again', { dog: dog(undefined, 2) }, after],
  ])('is empty %s', (_, before, later) => {
    expect(changed(before, later)).toEqual([]);
  });

  const outcome = { id: 'outcome:a1', kind: 'bark' };

  test.each<[Bark, Bark | undefined, object]>([
    [bark('a1', 'complete'), undefined, { ...outcome, at: now - 5, text: 'Bark complete' }],
    [bark('a1', 'pending'), undefined, { id: 'accepted:a1', at: now, kind: 'bark', text: 'Bark accepted' }],
    [
      bark('a1', 'cancelled'),
      undefined,
      { id: 'cancelled:a1', at: now, kind: 'cancellation', text: 'Bark cancelled' },
    ],
    [
      bark('a1', 'failed', { reason: 'No.' }),
      bark('a1', 'pending'),
      { ...outcome, at: now, text: 'Bark failed', detail: 'No.', hasFailed: true },
    ],
  ])('has the bark %j, which was %j before', (later, before, entry) => {
    const entries = changed(withBarks(before ? [before] : []), withBarks([later]));
    expect(entries).toEqual([{ ...entry, dog: 'rex' }]);
  });

  test('has the barks that are not recorded, even if several have the same time', () => {
    const entries = changed({ dog: dog({ previous: [1, 5] }) }, { dog: dog({ previous: [5, 5, 5, 9] }, 3) });
    expect(entries.map(({ at }) => at)).toEqual([5, 5, 9]);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(3);
    expect(entries[0]).toMatchObject({ kind: 'bark', dog: 'rex', text: 'Bark complete' });
  });

  test('has a recorded bark once', () => {
    const later = { dog: dog({ previous: [now - 5] }, 1), barks: [bark('s1', 'complete')] };
    expect(changed(withBarks([]), later).map(({ id }) => id)).toEqual(['outcome:s1']);
  });

  const before = withSchedule({ next });
  const soon = { next: now + 60 };
  test.each<[string, Snapshot, Snapshot, string | undefined]>([
    ['set', { dog: dog() }, withSchedule({ ...soon, frequency: 5 }), ', every 5 minutes'],
    ['changed', before, withSchedule(soon), ''],
    ['ended', before, { dog: dog() }, undefined],
  ])('has the schedule that was %s', (change, earlier, later, repetition) => {
    const detail = repetition === undefined ? undefined : `Next at ${dateAndTime(now + 60)}${repetition}`;
    expect(changed(earlier, later)).toMatchObject([
      { at: now, kind: 'schedule', text: `Schedule ${change}`, ...(detail && { detail }) },
    ]);
  });

  test.each([
    ['of a repeating schedule', { frequency: 5 }, { next: next + 300, frequency: 5 }],
    ['of a schedule with one occurrence', {}, {}],
  ])('has the occurrence %s', (_, before, after) => {
    const entries = changed(
      withSchedule({ next, ...before }),
      withSchedule({ previous: [next + 1], ...after }),
    );
    expect(entries).toMatchObject([
      { at: next + 1, kind: 'bark' },
      {
        id: `occurrence:rex:${next}`,
        at: next,
        kind: 'occurrence',
        detail: `Scheduled for ${dateAndTime(next)}`,
      },
    ]);
  });

  test.each([
    ['the interval has changed', { next: next + 300, frequency: 5 }],
    ['the next occurrence does not fit the interval', { next: next + 90, frequency: 1 }],
    ['the schedule has ended', {}],
  ])('has no occurrence if %s', (_, after) => {
    const entries = changed(
      withSchedule({ next, frequency: 1 }),
      withSchedule({ previous: [next + 1], ...after }),
    );
    expect(entries.map(({ kind }) => kind)).toEqual(['bark', 'schedule']);
  });
});
