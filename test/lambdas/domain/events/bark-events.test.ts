import { barkEventsOf } from '../../../../lambdas/domain/events/bark-events.ts';
import type { ItemChange } from '../../../../lambdas/domain/events/item-change.ts';

const ulid = '01KAK0XW00ABCDEFGHJKMNPQRS';
const timestamp = 1_795_262_400;
const entry = { dog: 'rex', sk: `b#${ulid}`, timestamp };
const asyncBark = { dog: 'rex', sk: `a#${ulid}`, status: 'pending', effects: ['emailDog'] };
const sentBark = { dog: 'rex', sk: `o#${ulid}`, timestamp };
const marker = { dog: 'rex', sk: `d#${timestamp}#${ulid}` };
const record = { dog: 'rex', sk: `k#${ulid}` };

type Image = Readonly<Record<string, unknown>> | undefined;
const eventsOf = (before: Image, after: Image, isExpiry = false) =>
  barkEventsOf({ sequenceNumber: '1', at: 0, before, after, isExpiry } as ItemChange);

const completed = (bark: string, recorded: boolean) => ({
  id: `${bark}.completed`,
  type: 'dogs.bark.completed',
  data: { dog: 'rex', bark, recorded, timestamp },
});
const mailFailed = (reason: string) => ({
  id: `s${ulid}.mail-failed`,
  type: 'dogs.bark.mail-failed',
  data: { dog: 'rex', bark: `s${ulid}`, timestamp, reason },
});
const failed = (reason: string) => ({
  id: `a${ulid}.failed`,
  type: 'dogs.bark.failed',
  resource: `a${ulid}`,
  data: { dog: 'rex', bark: `a${ulid}`, reason },
});

describe('barkEventsOf', () => {
  test.each<[string, Image, Image, object[]]>([
    ['a new history entry', undefined, entry, [completed(`s${ulid}`, false)]],
    [
      'a new history entry of a recorded bark',
      undefined,
      { ...entry, resource: true },
      [{ ...completed(`s${ulid}`, true), resource: `s${ulid}` }],
    ],
    ['the history entry of an asynchronous bark', undefined, { ...entry, barkId: `a${ulid}` }, []],
    ['an entry whose mail was sent', { ...entry, mail: 'inProgress' }, { ...entry, mail: 'sent' }, []],
    [
      'an entry whose mail failed',
      { ...entry, mail: 'inProgress' },
      { ...entry, mail: 'failed' },
      [mailFailed('not-sent')],
    ],
    [
      'an entry whose mail had failed before',
      { ...entry, mail: 'failed' },
      { ...entry, mail: 'failed', more: 1 },
      [],
    ],
    [
      'a new entry whose mail was dropped',
      undefined,
      { ...entry, mail: 'dropped' },
      [completed(`s${ulid}`, false), mailFailed('limit-reached')],
    ],
    ['an accepted bark', undefined, asyncBark, []],
    ['a bark in progress', asyncBark, { ...asyncBark, status: 'inProgress' }, []],
    [
      'a complete bark',
      asyncBark,
      { ...asyncBark, status: 'complete', timestamp },
      [{ ...completed(`a${ulid}`, false), resource: `a${ulid}` }],
    ],
    [
      'a complete bark that is recorded',
      asyncBark,
      { ...asyncBark, status: 'complete', effects: ['record'], timestamp },
      [{ ...completed(`a${ulid}`, true), resource: `a${ulid}` }],
    ],
    ['a failed bark', asyncBark, { ...asyncBark, status: 'failed', reason: 'Why.' }, [failed('Why.')]],
    [
      'a failed bark of which only the last state is known',
      undefined,
      { ...asyncBark, status: 'failed' },
      [failed('')],
    ],
    [
      'a cancelled bark',
      asyncBark,
      { ...asyncBark, status: 'cancelled' },
      [
        {
          id: `a${ulid}.cancelled`,
          type: 'dogs.bark.cancelled',
          resource: `a${ulid}`,
          data: { dog: 'rex', bark: `a${ulid}` },
        },
      ],
    ],
    [
      'a bark that had ended before',
      { ...asyncBark, status: 'failed' },
      { ...asyncBark, status: 'failed', more: 1 },
      [],
    ],
    ['a bark that only sent mail', undefined, sentBark, [completed(`s${ulid}`, false)]],
    ['a changed item of a bark that only sent mail', sentBark, { ...sentBark, more: 1 }, []],
    ['a new item of another type', undefined, record, []],
    ['the deletion of a pending marker', marker, undefined, []],
    ['the deletion of a pending bark', asyncBark, undefined, [failed('The dog was deleted.')]],
    [
      'the deletion of a bark in progress',
      { ...asyncBark, status: 'inProgress' },
      undefined,
      [failed('The dog was deleted.')],
    ],
    ['the deletion of a failed bark', { ...asyncBark, status: 'failed', reason: 'Why.' }, undefined, []],
    ['the deletion of a history entry', entry, undefined, []],
  ])('returns for %s its events', (_, before, after, events) => {
    expect(eventsOf(before, after)).toEqual(events);
  });

  test('returns a failure only for the expiry of a pending marker', () => {
    expect(eventsOf(marker, undefined, true)).toEqual([failed('The bark was not performed in time.')]);
    for (const expired of [record, asyncBark]) expect(eventsOf(expired, undefined, true)).toEqual([]);
    expect(eventsOf(undefined, undefined, true)).toEqual([]);
  });
});
