import * as v from 'valibot';
import { isCounted, isRecorded } from '../../../../lambdas/domain/barks/bark.ts';
import {
  type DogSettings,
  longestAddress,
  mailboxOf,
  recipientsOf,
  recipientsOfDog,
} from '../../../../lambdas/domain/dogs/dog.ts';
import { DogPutDocument } from '../../../../lambdas/domain/dogs/schema.ts';

function faultsOf(document: unknown): string[] {
  const { issues = [] } = v.safeParse(DogPutDocument, document);
  return issues.map(({ path }) => (path ?? []).map(({ key }) => String(key)).join('/'));
}

describe('The document that PUT takes', () => {
  test('gives a dog that records and barks at once, if it is empty', () => {
    expect(v.parse(DogPutDocument, {})).toEqual({
      id: undefined,
      settings: { email: undefined, owner: undefined, barkEffects: ['record'], barkHandling: 'sync' },
    });
  });

  test('puts the effects into one order', () => {
    const { settings } = v.parse(DogPutDocument, {
      barkEffects: ['record', 'emailDog'],
      email: 'a@example.com',
    });
    expect(settings.barkEffects).toEqual(['emailDog', 'record']);
  });

  const addresses = { email: 'dog@example.com', owner: 'mailto:owner@example.com' };
  test.each<[string[], object, string]>([
    [['record'], {}, 'sync'],
    [['emailDog'], {}, 'sync'],
    [['emailOwner'], {}, 'async'],
    [['emailDog', 'emailOwner', 'record'], {}, 'async'],
    [['emailOwner'], { barkHandling: 'sync' }, 'sync'],
    [['record'], { barkHandling: 'async' }, 'async'],
  ])('handles the effects %j with %j as %s', (barkEffects, handling, expected) => {
    const { settings } = v.parse(DogPutDocument, { ...addresses, barkEffects, ...handling });
    expect(settings.barkHandling).toBe(expected);
  });

  test('drops what only the service changes, whatever it is', () => {
    const { settings } = v.parse(DogPutDocument, { barkCount: 'x', barking: 5, barks: null });
    expect(Object.keys(settings)).toEqual(['email', 'owner', 'barkEffects', 'barkHandling']);
  });

  test.each([
    ['a field that does not exist', { name: 'Rex' }, ['name']],
    ['an empty set of effects', { barkEffects: [] }, ['barkEffects']],
    ['an effect named twice', { barkEffects: ['count', 'count'] }, ['barkEffects']],
    ['an unknown effect', { barkEffects: ['howl'] }, ['barkEffects/0']],
    ['effects that are no list', { barkEffects: 'count' }, ['barkEffects']],
    ['an unknown handling', { barkHandling: 'later' }, ['barkHandling']],
    ['null for an address', { email: null }, ['email']],
    ['no address', { email: 'rex' }, ['email']],
    ['two addresses', { email: 'a@example.com,b@example.com' }, ['email']],
    ['an address with a line break', { email: 'a@example.com\r\nBcc: b@example.com' }, ['email']],
    ['an address that is too long', { email: `${'a'.repeat(250)}@example.com` }, ['email']],
    ['an empty owner', { owner: '' }, ['owner']],
    ['an owner with a space', { owner: 'Jane Doe' }, ['owner']],
    ['an owner with a broken escape', { owner: 'mailto:%zz@example.com' }, ['owner']],
    ['emailDog without an address', { barkEffects: ['emailDog'] }, ['email']],
    ['emailOwner without an owner', { barkEffects: ['emailOwner'] }, ['owner']],
    [
      'emailOwner with an owner who has no mailbox',
      { barkEffects: ['emailOwner'], owner: 'https://example.com/jane' },
      ['owner'],
    ],
    [
      'emailOwner with two mailboxes',
      { barkEffects: ['emailOwner'], owner: 'mailto:a@example.com,b@example.com' },
      ['owner'],
    ],
    [
      'emailOwner with header fields',
      { barkEffects: ['emailOwner'], owner: 'mailto:a@example.com?cc=b@example.com' },
      ['owner'],
    ],
    [
      'emailOwner with bytes that are no text',
      { barkEffects: ['emailOwner'], owner: 'mailto:%ff@example.com' },
      ['owner'],
    ],
    [
      'emailOwner with an encoded line break',
      { barkEffects: ['emailOwner'], owner: 'mailto:a@example.com%0d%0aBcc:b' },
      ['owner'],
    ],
    ['faults in two places', { email: 'x', barkHandling: 'y' }, ['email', 'barkHandling']],
    ['null', null, ['']],
  ])('refuses %s', (_, document, pointers) => {
    expect(faultsOf(document)).toEqual(pointers);
  });

  test.each([
    ['any URI reference as an owner who is not notified', { owner: '../people/jane?x#y' }],
    ['a mailbox with escapes', { barkEffects: ['emailOwner'], owner: 'MAILTO:jane%2Bdogs@example.com' }],
    ['an address with an apostrophe', { email: "o'brien@example.com" }],
  ])('takes %s', (_, document) => {
    expect(faultsOf(document)).toEqual([]);
  });
});

describe('What a bark does', () => {
  const dog = (...barkEffects: DogSettings['barkEffects']): DogSettings => ({
    email: 'dog@example.com',
    owner: 'mailto:jane%2Bdogs@example.com',
    barkEffects,
    barkHandling: 'sync',
  });

  test.each([
    [['emailDog'], false, false, ['dog@example.com']],
    [['emailOwner'], false, false, ['jane+dogs@example.com']],
    [['count'], true, false, []],
    [['record'], true, true, []],
    [['emailDog', 'emailOwner', 'count'], true, false, ['dog@example.com', 'jane+dogs@example.com']],
  ] as const)(
    'with the effects %j: counts %p, records %p, mails %j',
    (effects, counts, records, recipients) => {
      const settings = dog(...effects);
      expect([isCounted(effects), isRecorded(effects), recipientsOf(effects, settings)]).toEqual([
        counts,
        records,
        recipients,
      ]);
      expect(recipientsOfDog({ settings })).toEqual(recipients);
    },
  );

  test('tells an address that is missing, by which no bark of the dog itself is mailed', () => {
    const settings = { ...dog('emailDog', 'emailOwner'), email: undefined };
    expect(recipientsOf(settings.barkEffects, settings)).toEqual([undefined, 'jane+dogs@example.com']);
    expect(recipientsOfDog({ settings })).toEqual(['jane+dogs@example.com']);
  });
});

describe('The mailbox of an owner', () => {
  const ofLength = (length: number) => {
    const domain = [...Array(3).fill('d'.repeat(60)), 'example.com'].join('.');
    return `${'a'.repeat(length - domain.length - 1)}@${domain}`;
  };

  test.each([
    ['mailto:jane@example.com', 'jane@example.com'],
    [`mailto:${ofLength(longestAddress)}`, ofLength(longestAddress)],
    [`mailto:${ofLength(longestAddress + 1)}`, undefined],
    ['xmailto:jane@example.com', undefined],
    ['mailto:', undefined],
    ['mailto:jane', undefined],
    ['mailto:%ff@example.com', undefined],
    ['jane@example.com', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s is %s', (owner, mailbox) => {
    expect(mailboxOf(owner)).toBe(mailbox);
  });
});
