import { dogId } from '../lambdas/contract/dog-id.ts';
import { barkId } from '../lambdas/domain/barks/bark.ts';
import { subscriptionToken } from '../lambdas/domain/suspensions/subscription.ts';
import type { Parameter, Reference } from './types.ts';

const inPath = (name: string, pattern: RegExp, example: string, description: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', pattern: pattern.source },
  example,
});

export const pathParameters: Readonly<Record<string, Parameter>> = {
  dog_id: inPath('dog_id', dogId, 'rex', 'The ID of the dog.'),
  bark_id: inPath(
    'bark_id',
    barkId,
    // Asynchronous, because only such a bark can be cancelled.
    'a01M7XTJQRGHZ3MM2X05VM3ARQN',
    'The ID of the bark. It begins with `a` for an asynchronous bark and with `s` for any other bark. The rest is a ULID.',
  ),
  token: inPath(
    'token',
    subscriptionToken,
    'q7Zt0pXv2mB9sU4wKc1yLrAe',
    "The token in an email's unsubscribe link.",
  ),
};

/** @param after the pattern that cursors match, and an example */
export function pageParameters(after: { readonly pattern: RegExp; readonly example: string }): Parameter[] {
  return [
    {
      name: 'limit',
      in: 'query',
      description: 'The maximum number of items on a page.',
      schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 20 },
      example: 20,
    },
    {
      name: 'after',
      in: 'query',
      description:
        "The cursor after which the page begins. Do not construct cursors. Follow the URL in the previous page's Link header instead; it contains the next cursor.",
      schema: { type: 'string', pattern: after.pattern.source },
      example: after.example,
    },
  ];
}

const entityTags = {
  in: 'header',
  schema: { type: 'string' },
  example: '"01M7XTJQRGHZ3MM2X05VM3ARQN.7.mB0sU9w1xQyZ"',
} as const;

const date = {
  in: 'header',
  schema: { type: 'string' },
  example: 'Sat, 21 Nov 2026 07:00:00 GMT',
} as const;

/** `info.description` states the response if a condition is false. */
export const preconditions = {
  IfMatch: {
    name: 'If-Match',
    description:
      'Entity tags, or `*`. The service performs the request only if one of the tags identifies the current state of the resource. `*` means that the resource must exist.',
    ...entityTags,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    description:
      'Entity tags, or `*`. The service performs the request only if none of the tags identifies the current state of the resource. `*` means that the resource must not exist.',
    ...entityTags,
  },
  IfModifiedSince: {
    name: 'If-Modified-Since',
    description:
      'An HTTP date. The service returns the representation only if the resource has changed since then. The service ignores this header if the request has If-None-Match. Prefer If-None-Match, because a date cannot distinguish two changes in the same second.',
    ...date,
  },
  IfUnmodifiedSince: {
    name: 'If-Unmodified-Since',
    description:
      'An HTTP date. The service performs the request only if the resource has not changed since then. For a dog and its schedule, a bark counts as a change. The service ignores this header if the request has If-Match.',
    ...date,
  },
} as const satisfies Record<string, Parameter>;

function references(...names: readonly (keyof typeof preconditions)[]): readonly Reference[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

export const ifNoneMatch = references('IfNoneMatch');

export const readPreconditions = references('IfNoneMatch', 'IfModifiedSince', 'IfMatch', 'IfUnmodifiedSince');

/** The preconditions of a PATCH, in addition to `patchDate`. */
export const patchPreconditions = references('IfMatch', 'IfNoneMatch');

export const writePreconditions = references('IfMatch', 'IfNoneMatch', 'IfUnmodifiedSince');

export const patchDate: Parameter = {
  name: 'If-Unmodified-Since',
  required: true,
  description:
    'The Last-Modified of your last GET, or the time at which you first send this patch. If you send the patch again with the same date, body and If-Match, the repeat has no effect. The service rejects a date that is earlier than the last change by a client. It also rejects a date that is more than five minutes ahead of its own clock, unless the service has returned this date as Last-Modified. If the request has If-Match, the service does not check the date.',
  ...date,
};

export const prefer: Parameter = {
  name: 'Prefer',
  in: 'header',
  description:
    '`respond-async` makes the bark asynchronous: the service responds before the dog barks. The service ignores other preferences (RFC 7240).',
  schema: { type: 'string' },
  example: 'respond-async',
};

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A string in double quotes, such as a UUID, that identifies the request for 24 hours. If you send the request again with the same key, the service returns the first response again, and the dog does not bark a second time. A key is valid for one user and one path (draft-ietf-httpapi-idempotency-key-header).',
  schema: { type: 'string', pattern: '^"(?:[ !#-\\[\\]-~]|\\\\["\\\\]){1,255}"$' },
  example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
};
