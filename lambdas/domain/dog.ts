import * as v from 'valibot';
import { documentOf } from './document.ts';
import type { Schedule } from './schedule.ts';

/** What a bark of the dog does. `record` brings `count` along. */
export const effects = ['emailDog', 'emailOwner', 'count', 'record'] as const;
export type Effect = (typeof effects)[number];

/** A dog id: it stands in URLs and in the names of schedules. */
export const dogId = /^[A-Za-z0-9_-]{1,40}$/;

/** RFC 5321 section 4.5.3.1.3 gives a path 256 octets, two of which are its angle brackets. */
const mailAddress = v.pipe(
  v.string('must be a string'),
  v.maxLength(254, 'must have at most 254 characters'),
  v.rfcEmail('must be an e-mail address'),
);

/** What JSON Schema says of a check that is code here goes with it as metadata. */
function whereEffect(effect: Effect, rule: object): object {
  const named = { required: ['barkEffects'], properties: { barkEffects: { contains: { const: effect } } } };
  // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
  return { if: named, then: rule };
}

/** RFC 3986 section 4.1, as far as its characters go. */
const uriReference = v.pipe(
  v.string('must be a string'),
  v.maxLength(2048, 'must have at most 2048 characters'),
  v.regex(
    /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/,
    'must be a URI reference, such as mailto:owner@example.com',
  ),
);

const barkEffects = v.pipe(
  v.array(
    v.picklist(effects, `must be one of ${effects.join(', ')}`),
    `must be a list of ${effects.join(', ')}`,
  ),
  v.minLength(1, 'must name at least one effect'),
  v.check((list) => new Set(list).size === list.length, 'must not name an effect twice'),
  v.metadata({ uniqueItems: true }),
  v.transform((list) => effects.filter((effect) => list.includes(effect))),
);

/** What GET shows and only the service changes: it may be sent back, and is ignored. */
const readOnly = v.optional(
  v.pipe(
    v.unknown(),
    v.metadata({ readOnly: true, description: 'May be sent back as GET gave it; ignored' }),
  ),
);

/** The document that PUT takes: what a client sets of a dog, beside what it may send back unchanged. */
export const DogPutDocument = v.pipe(
  documentOf({
    email: v.optional(v.pipe(mailAddress, v.description('An e-mail address; the effect emailDog needs one'))),
    owner: v.optional(
      v.pipe(
        uriReference,
        v.description(
          'A URI reference; the effect emailOwner needs mailto: with one address and nothing else',
        ),
      ),
    ),
    barkEffects: v.optional(
      v.pipe(barkEffects, v.description('What a bark does; record brings count along')),
      ['record'],
    ),
    barkHandling: v.optional(
      v.pipe(
        v.picklist(['sync', 'async'], 'must be sync or async'),
        v.description('Whether a bark is answered when it has happened, or when it is accepted'),
      ),
      'sync',
    ),
    id: readOnly,
    barkCount: readOnly,
    barking: readOnly,
    barks: readOnly,
  }),
  v.forward(
    v.partialCheck(
      [['email'], ['barkEffects']],
      ({ email, barkEffects }) => email !== undefined || !barkEffects.includes('emailDog'),
      'must be given, since the effect emailDog needs it',
    ),
    ['email'],
  ),
  v.forward(
    v.partialCheck(
      [['owner'], ['barkEffects']],
      ({ owner, barkEffects }) => mailboxOf(owner) !== undefined || !barkEffects.includes('emailOwner'),
      'must be mailto: and one address, since the effect emailOwner needs it',
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
  v.transform(({ id, email, owner, barkEffects, barkHandling }) => ({
    id,
    settings: { email, owner, barkEffects, barkHandling },
  })),
);

/** What a client sets of a dog. */
export type DogSettings = v.InferOutput<typeof DogPutDocument>['settings'];

/** A dog as the service keeps it. */
export interface Dog {
  readonly id: string;
  /** The ULID of this life: a dog that is deleted and made again under its old id is another dog. */
  readonly life: string;
  /** Counts every write, barks too. */
  readonly version: number;
  /** Unix seconds of the last write; it never goes back. */
  readonly lastModified: number;
  /** Counts the changes that clients make. */
  readonly settingsVersion: number;
  /** Unix seconds of the last change that a client made. */
  readonly settingsModified: number;
  readonly settings: DogSettings;
  readonly barkCount: number;
  /** The one schedule that it has, or had last. */
  readonly schedule?: Schedule;
  /** The latest slot, of whichever schedule, at which it barked; Unix seconds. It never goes back. */
  readonly lastSlot?: number;
}

/**
 * The addresses that a bark with these effects is mailed to; undefined for one that is missing. None for a bark without
 * mail.
 */
export function recipientsOf(
  effects: readonly Effect[],
  { email, owner }: Pick<DogSettings, 'email' | 'owner'>,
): (string | undefined)[] {
  return effects.flatMap((effect) => {
    if (effect === 'emailDog') return [email];
    return effect === 'emailOwner' ? [mailboxOf(owner)] : [];
  });
}

/** The addresses that a bark with the dog's own effects is mailed to; PUT sees to it that none is missing. */
export function recipientsOfDog({ settings }: Pick<Dog, 'settings'>): string[] {
  return recipientsOf(settings.barkEffects, settings).filter((address) => address !== undefined);
}

/** The address of an owner who can be notified: RFC 6068, with one address and nothing else. */
function mailboxOf(owner: string | undefined): string | undefined {
  const [, encoded] = /^mailto:([^?,#]+)$/i.exec(owner ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const address = decoded(encoded);
  return v.is(mailAddress, address) ? address : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // what the percent signs encode is not UTF-8
  }
}
