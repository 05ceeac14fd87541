import * as v from 'valibot';
import { documentOf, readOnly, readOnlyId } from '../platform/document.ts';
import { type DogSettings, type Effect, effects, mailboxOf, maxAddressLength } from './dog.ts';

const mailAddress = v.pipe(
  v.string('must be a string'),
  v.maxLength(maxAddressLength, `must have at most ${maxAddressLength} characters`),
  v.rfcEmail('must be an email address'),
);

/** Documents, as JSON Schema, a check that the valibot schema contains as a function. */
function whereEffect(effect: Effect, rule: object): object {
  const named = { required: ['barkEffects'], properties: { barkEffects: { contains: { const: effect } } } };
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: named, then: rule };
}

/**
 * Checks the characters of a URI reference, but not its structure; see
 * {@link https://www.rfc-editor.org/rfc/rfc3986#section-4.1 RFC 3986 section 4.1}.
 */
const uriReference = v.pipe(
  v.string('must be a string'),
  v.maxLength(2048, 'must have at most 2048 characters'),
  v.regex(
    // biome-ignore lint/complexity/noUselessEscapeInRegex: in Rust, a bracket in a class begins a nested class
    /^(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/,
    'must be a URI reference, such as mailto:owner@example.com',
  ),
);

const barkEffects = v.pipe(
  v.array(
    v.picklist(effects, `must be one of ${effects.join(', ')}`),
    `must be a list of effects: ${effects.join(', ')}`,
  ),
  v.minLength(1, 'must contain at least one effect'),
  v.check((list) => new Set(list).size === list.length, 'must not contain duplicates'),
  v.metadata({ uniqueItems: true }),
  v.transform((list) => effects.filter((effect) => list.includes(effect))),
);

/** The specification requires the service to notify owners asynchronously. */
function usualHandling(barkEffects: readonly Effect[]): DogSettings['barkHandling'] {
  return barkEffects.includes('emailOwner') ? 'async' : 'sync';
}

/** The members that clients set, and the read-only members, which clients may send back. */
export const DogPutDocument = v.pipe(
  documentOf({
    email: v.optional(
      v.pipe(mailAddress, v.description('The email address of the dog. The effect emailDog requires it.')),
    ),
    owner: v.optional(
      v.pipe(
        uriReference,
        v.description(
          'The owner of the dog, as a URI reference. The effect emailOwner requires a mailto: URI with exactly one address and no header fields.',
        ),
      ),
    ),
    barkEffects: v.optional(
      v.pipe(
        barkEffects,
        v.description(
          'The effects of a bark: emailDog sends mail to the dog, emailOwner sends mail to its owner, count increases the bark count, and record makes the bark a resource with its own URL. The effect record includes count.',
        ),
      ),
      ['record'],
    ),
    barkHandling: v.optional(
      v.pipe(
        v.picklist(['sync', 'async'], 'must be sync or async'),
        v.description(
          'Whether the service responds after the dog has barked (sync), or as soon as it has accepted the bark (async). The default is async if barkEffects contains emailOwner, otherwise sync.',
        ),
      ),
    ),
    id: readOnlyId,
    barkCount: readOnly,
    barking: readOnly,
    barks: readOnly,
    suspended: readOnly,
  }),
  v.forward(
    v.partialCheck(
      [['email'], ['barkEffects']],
      ({ email, barkEffects }) => email !== undefined || !barkEffects.includes('emailDog'),
      'is required by the emailDog effect',
    ),
    ['email'],
  ),
  v.forward(
    v.partialCheck(
      [['owner'], ['barkEffects']],
      ({ owner, barkEffects }) => mailboxOf(owner) !== undefined || !barkEffects.includes('emailOwner'),
      'must be a mailto: URI with exactly one address and no header fields, because the effect emailOwner requires one',
    ),
    ['owner'],
  ),
  v.metadata({
    allOf: [
      whereEffect('emailDog', { required: ['email'], properties: { email: {} } }),
      whereEffect('emailOwner', {
        required: ['owner'],
        properties: { owner: { pattern: '^[Mm][Aa][Ii][Ll][Tt][Oo]:[^?,#]+$' } },
      }),
    ],
  }),
  v.transform(({ id, email, owner, barkEffects, barkHandling }): { id: unknown; settings: DogSettings } => ({
    id,
    settings: { email, owner, barkEffects, barkHandling: barkHandling ?? usualHandling(barkEffects) },
  })),
);
