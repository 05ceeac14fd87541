import * as v from 'valibot';
import type { Setting } from '../../../../lambdas/contract/dog-settings.ts';
import {
  type DogSettings,
  isCounted,
  isRecorded,
  mailboxOf,
  maxAddressLength,
  recipientsOf,
  recipientsOfDog,
} from '../../../../lambdas/domain/dogs/dog.ts';
import { DogPutDocument, requestSchema } from '../../../../lambdas/domain/dogs/schema.ts';
import { refusedDogs } from '../../../cases/refused/dogs.ts';

/** Returns the messages of a document by the JSON pointers of their fields. */
function errorsOf(document: unknown): Record<string, string> {
  const { issues = [] } = v.safeParse(DogPutDocument, document);
  const pointerOf = (path: readonly { readonly key: unknown }[] = []) =>
    path.map(({ key }) => `/${key}`).join('');
  return Object.fromEntries(issues.map(({ path, message }) => [pointerOf(path), message]));
}

describe('DogPutDocument', () => {
  test('has defaults for an empty document: the effect record and synchronous handling', () => {
    expect(v.parse(DogPutDocument, {})).toEqual({
      id: undefined,
      settings: { email: undefined, owner: undefined, barkEffects: ['record'], barkHandling: 'sync' },
    });
  });

  test('sorts the effects', () => {
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
  ])('sets the handling for the effects %j with %j: %s', (barkEffects, handling, expected) => {
    const { settings } = v.parse(DogPutDocument, { ...addresses, barkEffects, ...handling });
    expect(settings.barkHandling).toBe(expected);
  });

  test('ignores the fields that only the service changes, whatever their values', () => {
    const { settings } = v.parse(DogPutDocument, { barkCount: 'x', barking: 5, barks: null });
    expect(settings).toEqual({ barkEffects: ['record'], barkHandling: 'sync' });
  });

  // The schema does not know the ID in the path.
  const refused = refusedDogs.cases.filter(({ errors = {} }) => !('/id' in errors));
  test.each(refused)('has for $name the errors of the API', ({ body, errors }) => {
    expect(errorsOf(body)).toEqual(errors);
  });

  test('is described for clients with the addresses that the effects require', () => {
    const where = (effect: string, then: object) => ({
      if: { required: ['barkEffects'], properties: { barkEffects: { contains: { const: effect } } } },
      then,
    });
    const pattern = '^[Mm][Aa][Ii][Ll][Tt][Oo]:[^?,#]+$';
    expect(v.getMetadata(DogPutDocument)).toEqual({
      allOf: [
        where('emailDog', { required: ['email'], properties: { email: {} } }),
        where('emailOwner', { required: ['owner'], properties: { owner: { pattern } } }),
      ],
    });
  });

  test.each([
    ['any URI reference as the owner if no effect sends mail to the owner', { owner: '../people/jane?x#y' }],
    ['a mailbox with escapes', { barkEffects: ['emailOwner'], owner: 'MAILTO:jane%2Bdogs@example.com' }],
    ['an address with an apostrophe', { email: "o'brien@example.com" }],
  ])('accepts %s', (_, document) => {
    expect(errorsOf(document)).toEqual({});
  });
});

describe('requestSchema', () => {
  const list = { kind: 'list', entry: 'trick', choices: ['sit', 'roll'] } as const;
  test.each<[Setting, unknown, string[]]>([
    [{ kind: 'text', maxLength: 3 }, '🐶🐶🐶', []],
    [{ kind: 'text', maxLength: 3 }, '🐶🐶🐶🐶', ['must have 1 to 3 characters']],
    [{ kind: 'text', maxLength: 3 }, '', ['must have 1 to 3 characters']],
    [{ kind: 'text', maxLength: 3 }, '\ud800', ['must be Unicode text without unpaired surrogates']],
    [{ kind: 'text', maxLength: 3, format: 'email' }, 'a@b.c', ['must have at most 3 characters']],
    [{ kind: 'switch' }, false, []],
    [{ kind: 'switch' }, 'false', ['must be true or false']],
    [{ kind: 'choice', choices: ['a', 'b', 'c'] }, 'c', []],
    [{ kind: 'choice', choices: ['a', 'b', 'c'] }, 'd', ['must be a or b or c']],
    [list, ['roll', 'sit'], []],
    [list, [], ['must contain at least one trick']],
    [list, ['beg'], ['must be one of sit, roll']],
    [list, 'sit', ['must be a list of tricks: sit, roll']],
  ])('of %j finds in %j the errors %j', (setting, value, errors) => {
    const { issues = [] } = v.safeParse(requestSchema(setting), value);
    expect(issues.map(({ message }) => message)).toEqual(errors);
  });
});

test('The schema of a list states that its entries are unique', () => {
  const list = { kind: 'list', entry: 'trick', choices: ['sit', 'roll'] } as const;
  expect(v.getMetadata(requestSchema(list))).toEqual({ uniqueItems: true });
});

describe('isCounted, isRecorded and recipientsOf', () => {
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
    'return, for the effects %j: counted %p, recorded %p, recipients %j',
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

  test('return undefined for a missing address, which recipientsOfDog leaves out', () => {
    const settings = { ...dog('emailDog', 'emailOwner'), email: undefined };
    expect(recipientsOf(settings.barkEffects, settings)).toEqual([undefined, 'jane+dogs@example.com']);
    expect(recipientsOfDog({ settings })).toEqual(['jane+dogs@example.com']);
  });
});

describe('mailboxOf', () => {
  const ofLength = (length: number) => {
    const domain = [...Array(3).fill('d'.repeat(60)), 'example.com'].join('.');
    return `${'a'.repeat(length - domain.length - 1)}@${domain}`;
  };

  test.each([
    ['mailto:jane@example.com', 'jane@example.com'],
    [`mailto:${ofLength(maxAddressLength)}`, ofLength(maxAddressLength)],
    [`mailto:${ofLength(maxAddressLength + 1)}`, undefined],
    ['xmailto:jane@example.com', undefined],
    ['mailto:', undefined],
    ['mailto:jane', undefined],
    ['mailto:%ff@example.com', undefined],
    // Characters that could add header lines or recipients to an email.
    ['mailto:jane@example.com%0D%0ABcc:%20eve@example.com', undefined],
    ['mailto:jane%0D%0ABcc:eve@example.com', undefined],
    ['mailto:jane@example.com%0A', undefined],
    ['mailto:jane%2Ceve@example.com', undefined],
    ['mailto:%3Cjane@example.com%3E', undefined],
    ['jane@example.com', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('returns for the owner %s: %s', (owner, mailbox) => {
    expect(mailboxOf(owner)).toBe(mailbox);
  });
});
