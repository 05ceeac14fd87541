import type { Dog } from '../../../../client/index.ts';
import { recipientsOf } from '../../../../web/console/dogs/settings.ts';
import { countOf, extentOf, factsOf, keptInWords, nextInWords } from '../../../../web/console/dogs/words.ts';

const now = 1_795_352_587;
const email = 'rex@example.com';
const dogOf = (change: Partial<Dog>): Dog => ({
  id: 'rex',
  barkCount: 0,
  barkEffects: ['record'],
  barkHandling: 'sync',
  barking: false,
  ...change,
});

const mail = { barkEffects: ['emailDog'], email } as const satisfies Partial<Dog>;
const hundred = Array.from({ length: 100 }, (_, n) => now - 100 + n);
const none = { Barks: '0 counted', 'Last known bark': 'none', Scheduled: 'none' };
const notKept =
  'This dog keeps no record of its barks. Only the times of scheduled barks and of barks made with POST bark are known.';

/** The sentences of a case are those in the list of dogs, in the history, and about what the dog keeps. */
test.each<[string, Partial<Dog>, [string | undefined, string, string?], object]>([
  ['records its barks, and has none', {}, ['0 counted', 'No known barks'], none],
  [
    'records its barks, and has barked',
    { barkCount: 2, barks: { previous: [now - 9, now - 5] } },
    ['2 counted', 'All 2 known barks'],
    { ...none, Barks: '2 counted', 'Last known bark': now - 5 },
  ],
  [
    'counts its barks, more than the service returns',
    { barkCount: 1_250, barkEffects: ['count'], barkHandling: 'async', barks: { previous: hundred } },
    [
      '1,250 counted',
      'The latest 100 known barks (1,250 counted)',
      'This dog counts its barks, but does not record them. Only the times of the latest 100 are known.',
    ],
    { ...none, Barks: '1,250 counted', 'Last known bark': now - 1 },
  ],
  [
    'only sends mail, whether or not it has barked',
    mail,
    [undefined, 'No record of barks', notKept],
    { ...none, Barks: 'not counted', 'Last known bark': 'not kept' },
  ],
  [
    'only sends mail, and has barked by its schedule',
    { ...mail, barks: { previous: [now - 600], next: now + 60, frequency: 10 } },
    [undefined, '1 known bark', notKept],
    { Barks: 'not counted', 'Last known bark': now - 600, Scheduled: now + 60 },
  ],
  [
    'only sends mail, and had counted earlier barks',
    { ...mail, barkCount: 3, barks: { previous: [now - 9, now - 8, now - 7] } },
    ['3 counted', 'All 3 known barks', notKept],
    { ...none, Barks: '3 counted', 'Last known bark': now - 7 },
  ],
  [
    'has a pending bark, and one that is due',
    { barking: true, barks: { previous: [], next: now } },
    ['0 counted', 'No known barks'],
    { ...none, 'Async bark': 'pending', Scheduled: 'due now' },
  ],
])('of a dog that %s, the console states only what is known', (_, change, [list, extent, kept], facts) => {
  const dog = dogOf(change);
  expect([countOf(dog), extentOf(dog, dog.barks?.previous.length ?? 0, false), keptInWords(dog)]).toEqual([
    list,
    extent,
    kept,
  ]);
  const settings = { Effects: dog.barkEffects.join(', '), Handling: dog.barkHandling };
  expect(Object.fromEntries(factsOf(dog, now).map(({ label, value }) => [label, value]))).toEqual({
    ...facts,
    ...settings,
  });
});

test('extentOf() states that the service has older barks', () => {
  expect(extentOf(dogOf({ barkCount: 100 }), 100, true)).toBe('The latest 100 known barks (100 counted)');
});

test('nextInWords() states that the next bark is due', () => {
  expect(nextInWords({ next: now }, now)).toBe('The next scheduled bark is due now, and is not repeated.');
});

test.each<[string, Partial<Dog>, string[]]>([
  ['no address without an effect that sends mail', { email, owner: 'mailto:jane@example.com' }, []],
  ['the address of the dog', mail, [email]],
  [
    'the decoded address of the owner',
    { barkEffects: ['emailOwner'], owner: 'mailto:jane%2Bdog@example.com' },
    ['jane+dog@example.com'],
  ],
  [
    'no suspended address',
    { ...mail, suspended: [{ address: 'REX@example.com', reason: 'bounced', since: now }] },
    [],
  ],
])('recipientsOf() returns %s', (_, change, expected) => {
  expect(recipientsOf(dogOf(change))).toEqual(expected);
});
