import { type CaseGroup, type InvalidDocument, invalidDocuments } from './case.ts';

const effects = 'emailDog, emailOwner, count, record';
const noAddress = 'must be an email address';
const noUri = 'must be a URI reference, such as mailto:owner@example.com';
const noMailbox =
  'must be a mailto: URI with exactly one address and no header fields, because the effect emailOwner requires one';

const settings: readonly InvalidDocument[] = [
  ['no effects', { barkEffects: [] }, { '/barkEffects': 'must contain at least one effect' }],
  [
    'effects that are a string',
    { barkEffects: 'count' },
    { '/barkEffects': `must be a list of effects: ${effects}` },
  ],
  [
    'effects that are null',
    { barkEffects: null },
    { '/barkEffects': `must be a list of effects: ${effects}` },
  ],
  [
    'effects that are an object like an array',
    { barkEffects: { 0: 'count', length: 1 } },
    { '/barkEffects': `must be a list of effects: ${effects}` },
  ],
  [
    'a duplicate effect',
    { barkEffects: ['count', 'count'] },
    { '/barkEffects': 'must not contain duplicates' },
  ],
  [
    '7,000 duplicate effects',
    { barkEffects: Array(7_000).fill('count') },
    { '/barkEffects': 'must not contain duplicates' },
  ],
  [
    'an unknown effect',
    { barkEffects: ['count', 'bite'] },
    { '/barkEffects/1': `must be one of ${effects}` },
  ],
  ['an unknown bark handling', { barkHandling: 'later' }, { '/barkHandling': 'must be sync or async' }],
  ['a bark handling that is null', { barkHandling: null }, { '/barkHandling': 'must be sync or async' }],
  [
    'the effect emailDog without an address',
    { barkEffects: ['emailDog'] },
    { '/email': 'is required by the emailDog effect' },
  ],
  ['the effect emailOwner without an owner', { barkEffects: ['emailOwner'] }, { '/owner': noMailbox }],
  [
    'two effects without their addresses',
    { barkEffects: ['emailDog', 'emailOwner'] },
    { '/email': 'is required by the emailDog effect', '/owner': noMailbox },
  ],
  [
    'three invalid fields',
    { email: 'rex', barkHandling: 'later', loud: true },
    { '/email': noAddress, '/barkHandling': 'must be sync or async', '/loud': 'is not a known field' },
  ],
  ['another ID', { id: 'other' }, { '/id': 'must be absent or "{dog}", the ID in the path' }],
  ['an ID that is a number', { id: 7 }, { '/id': 'must be absent or "{dog}", the ID in the path' }],
  ['an ID that is null', { id: null }, { '/id': 'must be absent or "{dog}", the ID in the path' }],
  [
    'an ID that is an object',
    { id: { toString: 'x' } },
    { '/id': 'must be absent or "{dog}", the ID in the path' },
  ],
];

const addresses: readonly (readonly [name: string, email: string])[] = [
  ['without a domain', 'rex'],
  ['with an empty domain', 'rex@'],
  ['with an empty name', '@example.com'],
  ['that is empty', ''],
  ['that is a list', 'rex@example.com, max@example.com'],
  ['that is a list without spaces', 'rex@example.com,max@example.com'],
  ['with a display name', 'Rex <rex@example.com>'],
  ['with a space', 'rex @example.com'],
  ['with a header after CR and LF', 'rex@example.com\r\nBcc: max@example.com'],
  ['with an address after LF', 'rex@example.com\nmax@example.com'],
  ['that ends in LF', 'rex@example.com\n'],
  ['with NUL', 'rex@example.com\0'],
  ['with a list in quotes', '"rex max@example.com,"@example.com'],
  ['with a comment', 'rex@example.com(max@example.com)'],
  ['with a letter outside ASCII', 'rex@exämple.com'],
  ['with a Cyrillic letter', 'rex@\u0435xample.com'],
];

const emails: readonly InvalidDocument[] = [
  ...addresses.map(
    ([name, email]): InvalidDocument => [`an email ${name}`, { email }, { '/email': noAddress }],
  ),
  ['an email that is a number', { email: 7 }, { '/email': 'must be a string' }],
  ['an email that is null', { email: null }, { '/email': 'must be a string' }],
  ['an email that is an array', { email: ['rex@example.com'] }, { '/email': 'must be a string' }],
  [
    'an email of 255 characters',
    { email: `${'x'.repeat(243)}@example.com` },
    { '/email': 'must have at most 254 characters' },
  ],
  [
    'an email of 60,000 characters',
    { email: `${'x'.repeat(60_000)}@example.com` },
    { '/email': 'must have at most 254 characters' },
  ],
  [
    'an email of 60,000 dots',
    { email: `rex@${'a.'.repeat(30_000)}com` },
    { '/email': 'must have at most 254 characters' },
  ],
];

const owners: readonly InvalidDocument[] = [
  ...['', 'a b', 'the postman', 'mailto:<rex>', '%zz'].map(
    (owner): InvalidDocument => [`the owner "${owner}"`, { owner }, { '/owner': noUri }],
  ),
  ['an owner that is a number', { owner: 7 }, { '/owner': 'must be a string' }],
  ['an owner that is null', { owner: null }, { '/owner': 'must be a string' }],
  [
    'an owner of 2,049 characters',
    { owner: 'x'.repeat(2_049) },
    { '/owner': 'must have at most 2048 characters' },
  ],
  [
    'an owner of 60,000 characters',
    { owner: `mailto:${'a'.repeat(60_000)}@example.com` },
    { '/owner': 'must have at most 2048 characters' },
  ],
  ...[
    'https://example.com/me',
    'mailto:',
    'mailto:rex',
    'mailto:rex@example.com?subject=hi',
    'mailto:rex@example.com?bcc=max@example.com',
    'mailto:rex@example.com,max@example.com',
    'mailto:rex@example.com%2Cmax@example.com',
    'mailto:rex@example.com%0D%0ABcc:max@example.com',
    'mailto:rex@example.com%0A',
    'mailto:rex@example.com%00',
    'mailto:%3Cmax@example.com%3E',
    'mailto:%ff@example.com',
    'mailto:rex@example.com%C0%8A',
    'mailto:rex@ex%C3%A4mple.com',
  ].map(
    (owner): InvalidDocument => [
      `the effect emailOwner and the owner ${owner}`,
      { owner, barkEffects: ['emailOwner'] },
      { '/owner': noMailbox },
    ],
  ),
];

export const refusedDogs: CaseGroup = {
  title: 'PUT /v1/dogs/{id}',
  dogs: ['new', 'absent'],
  cases: invalidDocuments({ method: 'PUT', path: '' }, [...settings, ...emails, ...owners]),
};
