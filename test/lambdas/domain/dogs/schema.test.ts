import * as v from 'valibot';
import type { Setting } from '../../../../lambdas/contract/dog-settings.ts';
import { maxAddressLength } from '../../../../lambdas/contract/email-address.ts';
import {
  type DogSettings,
  mailboxOf,
  recipientsOf,
  recipientsOfDog,
} from '../../../../lambdas/domain/dogs/dog.ts';
import { DogPutDocument, requestSchema } from '../../../../lambdas/domain/dogs/schema.ts';

test('DogPutDocument ignores the fields that only the service changes, whatever their values', () => {
  const { settings } = v.parse(DogPutDocument, { barkCount: 'x', barking: 5, barks: null });
  expect(settings).toEqual({ barkEffects: ['record'], barkHandling: 'sync' });
});

test('DogPutDocument is described for clients with the addresses that the effects require, and the length of the local part', () => {
  const where = (effect: string, then: object) => ({
    if: {
      required: ['barkEffects'],
      properties: { barkEffects: { contains: { type: 'string', const: effect } } },
    },
    then,
  });
  const whereEmail = (then: object) => ({
    if: { required: ['email'], properties: { email: {} } },
    then,
  });
  const pattern = '^[Mm][Aa][Ii][Ll][Tt][Oo]:[^?,#]+$';
  expect(v.getMetadata(DogPutDocument)).toEqual({
    allOf: [
      where('emailDog', { required: ['email'], properties: { email: {} } }),
      where('emailOwner', { required: ['owner'], properties: { owner: { pattern } } }),
      whereEmail({ properties: { email: { pattern: '^[^@]{1,64}@' } } }),
    ],
  });
});

const names = { kind: 'texts', entry: 'name', maxLength: 3, maxItems: 3 } as const;
const separable = 'must not contain a comma or a line break, and must not begin or end with a space';

test.each<[Setting, unknown, string[]]>([
  [{ kind: 'text', maxLength: 3 }, '🐶🐶🐶', []],
  [{ kind: 'text', maxLength: 3 }, '🐶🐶🐶🐶', ['must have 1 to 3 characters']],
  [{ kind: 'text', maxLength: 3 }, '', ['must have 1 to 3 characters']],
  [{ kind: 'text', maxLength: 3 }, '\ud800', ['must be Unicode text without unpaired surrogates']],
  [{ kind: 'text', maxLength: 3, format: 'email' }, 'a@b.c', ['must have at most 3 characters']],
  [{ kind: 'boolean' }, false, []],
  [{ kind: 'boolean' }, 'false', ['must be true or false']],
  [{ kind: 'choice', choices: ['a', 'b', 'c'] }, 'c', []],
  [{ kind: 'choice', choices: ['a', 'b', 'c'] }, 'd', ['must be a or b or c']],
  [{ kind: 'integer', minimum: 1, maximum: 9 }, 9, []],
  [{ kind: 'integer', minimum: 1, maximum: 9 }, 0, ['must be an integer from 1 to 9']],
  [{ kind: 'integer', minimum: 1, maximum: 9 }, 10, ['must be an integer from 1 to 9']],
  [{ kind: 'integer', minimum: 1, maximum: 9 }, 1.5, ['must be an integer from 1 to 9']],
  [{ kind: 'integer', minimum: 1, maximum: 9 }, '1', ['must be an integer from 1 to 9']],
  [names, ['Max', 'a', 'b c'], []],
  [names, 'Max', ['must be a list of names']],
  [names, [], ['must contain at least one name']],
  [names, ['a', 'b', 'c', 'd'], ['must contain at most 3 names']],
  [names, ['a', 'a'], ['must not contain duplicates']],
  [names, ['', 'Bella'], ['must have 1 to 3 characters', 'must have 1 to 3 characters']],
  [names, ['a,b', 'a\rb', 'a\nb'], Array(3).fill(separable)],
  [names, [' ab', 'ab '], Array(2).fill(separable)],
])('requestSchema of %j finds in %j the errors %j', (setting, value, errors) => {
  const { issues = [] } = v.safeParse(requestSchema(setting), value);
  expect(issues.map(({ message }) => message)).toEqual(errors);
});

test.each<Setting>([names, { kind: 'choices', entry: 'trick', choices: ['sit', 'roll'] }])(
  'The schema of %j states that the entries are unique',
  (setting) => expect(v.getMetadata(requestSchema(setting))).toEqual({ uniqueItems: true }),
);

test('An address that a dog lacks is undefined in recipientsOf, and recipientsOfDog leaves it out', () => {
  const settings: DogSettings = {
    owner: 'mailto:jane%2Bdogs@example.com',
    barkEffects: ['emailDog', 'emailOwner'],
    barkHandling: 'sync',
  };
  expect(recipientsOf(settings.barkEffects, settings)).toEqual([undefined, 'jane+dogs@example.com']);
  expect(recipientsOfDog({ settings })).toEqual(['jane+dogs@example.com']);
});

const ofLength = (length: number) => {
  const domain = [...Array(3).fill('d'.repeat(60)), 'example.com'].join('.');
  return `${'a'.repeat(length - domain.length - 1)}@${domain}`;
};

test.each([
  [`mailto:${ofLength(maxAddressLength)}`, ofLength(maxAddressLength)],
  [`mailto:${ofLength(maxAddressLength + 1)}`, undefined],
  ['xmailto:jane@example.com', undefined],
])('mailboxOf returns for the owner %s: %s', (owner, mailbox) => {
  expect(mailboxOf(owner)).toBe(mailbox);
});
