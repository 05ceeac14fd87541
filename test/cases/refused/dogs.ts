import { type CaseGroup, type Errors, type InvalidDocument, invalidDocuments } from './case.ts';

const effects = 'emailDog, emailOwner, count, record';
const notAList = { '/barkEffects': `must be a list of effects: ${effects}` };
const duplicates = { '/barkEffects': 'must not contain duplicates' };
const handling = { '/barkHandling': 'must be sync or async' };
const otherId = { '/id': 'must be absent or "{id}", the ID in the path' };
const noEmail = { '/email': 'must be an email address' };
const emailTooLong = { '/email': 'must have at most 254 characters' };
const localPartTooLong = { '/email': 'must have at most 64 characters before the @' };
const emailRequired = { '/email': 'is required by the emailDog effect' };
const noUri = { '/owner': 'must be a URI reference, such as mailto:owner@example.com' };
const ownerTooLong = { '/owner': 'must have at most 2048 characters' };
const noMailbox = {
  '/owner':
    'must be a mailto: URI with exactly one address and no header fields, because the effect emailOwner requires one',
};

const settings: readonly InvalidDocument[] = [
  ['no effects', { barkEffects: [] }, { '/barkEffects': 'must contain at least one effect' }],
  ['effects that are a string', { barkEffects: 'count' }, notAList],
  ['effects that are null', { barkEffects: null }, notAList],
  ['effects that are an object like an array', { barkEffects: { 0: 'count', length: 1 } }, notAList],
  ['a duplicate effect', { barkEffects: ['count', 'count'] }, duplicates],
  [
    'an unknown effect',
    { barkEffects: ['count', 'bite'] },
    { '/barkEffects/1': `must be one of ${effects}` },
  ],
  ['an unknown bark handling', { barkHandling: 'later' }, handling],
  ['the effect emailDog without an email', { barkEffects: ['emailDog'] }, emailRequired],
  ['the effect emailOwner without an owner', { barkEffects: ['emailOwner'] }, noMailbox],
  [
    'two effects without their addresses',
    { barkEffects: ['emailDog', 'emailOwner'] },
    { ...emailRequired, ...noMailbox },
  ],
  [
    'the effect emailOwner with an owner that is a number',
    { owner: 7, barkEffects: ['emailOwner'] },
    { '/owner': 'must be a string' },
  ],
  [
    'three invalid fields',
    { email: 'rex', barkHandling: 'later', loud: true },
    { ...noEmail, ...handling, '/loud': 'is not a known field' },
  ],
  ['another ID', { id: 'other' }, otherId],
  ['an ID that is a number', { id: 7 }, otherId],
];

const emails: readonly (readonly [name: string, email: unknown, errors?: Errors])[] = [
  ['without a domain', 'rex'],
  ['with an empty name', '@example.com'],
  ['that is empty', ''],
  ['that is a list', 'rex@example.com, max@example.com'],
  ['with a display name', 'Rex <rex@example.com>'],
  ['with a space', 'rex @example.com'],
  ['with a header after CR and LF', 'rex@example.com\r\nBcc: max@example.com'],
  ['with NUL', 'rex@example.com\0'],
  ['with a comment', 'rex@example.com(max@example.com)'],
  ['with a letter outside ASCII', 'rex@exämple.com'],
  ['with two dots in a row', 'a..b@example.com'],
  ['that begins with a dot', '.a@example.com'],
  ['with a dot before the @', 'a.@example.com'],
  ['with an empty label in its domain', 'a@example..com'],
  ['with a label of 64 characters', `a@${'b'.repeat(64)}.com`],
  ['with 65 characters before the @', `${'a'.repeat(65)}@example.com`, localPartTooLong],
  ['that is null', null, { '/email': 'must be a string' }],
  ['of 255 characters', `${'x'.repeat(243)}@example.com`, emailTooLong],
  ['of 60,000 dots', `rex@${'a.'.repeat(30_000)}com`, emailTooLong],
];

const owners: readonly (readonly [name: string, owner: unknown, errors?: Errors])[] = [
  ['that is empty', ''],
  ['with a space', 'the postman'],
  ['with angle brackets', 'mailto:<rex>'],
  ['with an invalid percent-encoding', '%zz'],
  ['with half of a percent-encoding', '%4'],
  ['that is a number', 7, { '/owner': 'must be a string' }],
  ['of 2,049 characters', 'x'.repeat(2_049), ownerTooLong],
];

const notMailboxes = [
  'https://example.com/me',
  'mailto:',
  'mailto:rex',
  'mailto:rex@example.com?subject=hi',
  'mailto:rex@example.com,max@example.com',
  'mailto:rex@example.com%0D%0ABcc:max@example.com',
  'mailto:%3Cmax@example.com%3E',
  'mailto:rex@example.com%C0%8A',
  'mailto:a..b@example.com',
  'mailto:%2Ea@example.com',
  `mailto:${'a'.repeat(65)}@example.com`,
];

export const refusedDogs: CaseGroup = {
  title: 'PUT {dog}',
  dogs: ['new', 'absent'],
  cases: invalidDocuments('PUT {dog}', [
    ...settings,
    ...emails.map(([name, email, errors = noEmail]) => [`an email ${name}`, { email }, errors] as const),
    ...owners.map(([name, owner, errors = noUri]) => [`an owner ${name}`, { owner }, errors] as const),
    ...notMailboxes.map(
      (owner) =>
        [`emailOwner with the owner ${owner}`, { owner, barkEffects: ['emailOwner'] }, noMailbox] as const,
    ),
  ]),
};
