import { barkId } from '../lambdas/domain/barks/bark.ts';
import { dogId } from '../lambdas/domain/dogs/dog.ts';
import type { Parameter } from './types.ts';

/** The path parameters, by their names in the table of routes. */
export const pathParameters: Readonly<Record<string, Parameter>> = {
  dog_id: {
    name: 'dog_id',
    in: 'path',
    required: true,
    description: 'The id of the dog',
    schema: { type: 'string', pattern: dogId.source },
    example: 'rex',
  },
  bark_id: {
    name: 'bark_id',
    in: 'path',
    required: true,
    description:
      'The id of the bark; `s` begins one that happened at once, `a` one that was accepted for later',
    schema: { type: 'string', pattern: barkId.source },
    example: 's01M7XTJQRGHZ3MM2X05VM3ARQN',
  },
};

/**
 * Returns the parameters of a list.
 *
 * @param cursor the pattern of `after`
 */
export function pageParameters(cursor: RegExp): Parameter[] {
  return [
    {
      name: 'limit',
      in: 'query',
      description: 'How many there are on a page at most; over 100 counts as 100',
      schema: { type: 'integer', minimum: 1, default: 20 },
    },
    {
      name: 'after',
      in: 'query',
      description: 'Where the page begins, as the Link to it has it',
      schema: { type: 'string', pattern: cursor.source },
    },
  ];
}

const entityTags = {
  schema: { type: 'string' },
  example: '"01ARZ3NDEKTSV4RRFFQ69G5FAV.7.mB0sU9w1xQyZ"',
} as const;

const date = { schema: { type: 'string' }, example: 'Sat, 21 Nov 2026 07:00:00 GMT' } as const;

/** The preconditions of a client that reads a dog. */
export const readPreconditions: readonly Parameter[] = [
  {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The entity tags that the client has, or `*`. If the dog has one of them, the response is 304',
    ...entityTags,
  },
  {
    name: 'If-Modified-Since',
    in: 'header',
    description:
      'The Last-Modified that the client has. If nothing has changed since then, the response is 304. The service ignores this header if the request has If-None-Match, which is exact even if the dog changes twice in a second',
    ...date,
  },
  {
    name: 'If-Match',
    in: 'header',
    description: 'The entity tags of the representations that the client wants, or `*` for any',
    ...entityTags,
  },
  {
    name: 'If-Unmodified-Since',
    in: 'header',
    description:
      'The time after which the dog must not have changed. The service ignores this header if the request has If-Match',
    ...date,
  },
];

/** The preconditions with entity tags of a client that changes a dog. */
export const entityTagPreconditions: readonly Parameter[] = [
  {
    name: 'If-Match',
    in: 'header',
    description: 'The entity tags of the states in which the dog may be changed, or `*` for any',
    ...entityTags,
  },
  {
    name: 'If-None-Match',
    in: 'header',
    description: 'The entity tags of the states in which it may not, or `*`: only if there is no such dog',
    ...entityTags,
    example: '*',
  },
];

/** The preconditions of a client that replaces or deletes a dog. */
export const preconditions: readonly Parameter[] = [
  ...entityTagPreconditions,
  {
    name: 'If-Unmodified-Since',
    in: 'header',
    description:
      'The time after which the dog must not have changed. A bark is a change. The service ignores this header if the request has If-Match',
    ...date,
  },
];

export const dateOfPatch: Parameter = {
  name: 'If-Unmodified-Since',
  in: 'header',
  required: true,
  description:
    'The Date or the Last-Modified of your last GET, or the time at which you first send this patch. A patch that you send again with the same date, body and If-Match has no further effect. The service refuses a date before the last change by a client. It also refuses a date that is both later than Last-Modified and more than five minutes ahead of its clock',
  ...date,
};

export const prefer: Parameter = {
  name: 'Prefer',
  in: 'header',
  description: '`respond-async` asks for an answer before the bark has happened (RFC 7240)',
  schema: { type: 'string' },
  example: 'respond-async',
};

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A string in double quotes, a UUID for instance, by which the request is known for a day: sent again it has the answer that it had first, and no other effect (draft-ietf-httpapi-idempotency-key-header). It belongs to the user, and to this path',
  schema: { type: 'string', pattern: '^"(?:[ !#-\\[\\]-~]|\\\\["\\\\]){1,255}"$' },
  example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
};
