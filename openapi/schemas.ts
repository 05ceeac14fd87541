import type { GenericSchema } from 'valibot';
import * as v from 'valibot';
import { BarkDocument } from '../lambdas/domain/barks/schema.ts';
import { DogPutDocument } from '../lambdas/domain/dogs/schema.ts';
import { BarkScheduleDocument, DogPatchDocument } from '../lambdas/domain/schedules/schema.ts';
import {
  BarkListDocument,
  BarkResource,
  BarkScheduleResource,
  DogDocument,
  DogFields,
  DogListDocument,
  LastBarkResource,
} from '../lambdas/http/schemas.ts';
import { jsonSchemasOf } from './json-schema.ts';
import type { MediaType, Schema } from './types.ts';

/** The body of a 202 for a client that prefers JSON. */
const AcceptedBark = v.strictObject({
  bark: v.pipe(v.string(), v.url(), v.description('URL of the bark')),
  status: v.literal('pending'),
});

/** @see {@link https://www.rfc-editor.org/rfc/rfc9457 RFC 9457} */
const Problem = v.strictObject({
  type: v.pipe(v.literal('about:blank'), v.description('No type of its own: the status says it')),
  title: v.pipe(v.string(), v.description('The name of the status')),
  status: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599))),
  detail: v.pipe(v.string(), v.description('What is wrong, in a sentence')),
  instance: v.pipe(
    v.string(),
    v.regex(/^#\S+$/),
    v.description('A URI reference: # and the X-Request-Id of the response'),
  ),
  errors: v.exactOptional(
    v.pipe(
      v.array(
        v.strictObject({
          pointer: v.pipe(v.string(), v.description('JSON Pointer (RFC 6901) to the field')),
          detail: v.string(),
        }),
      ),
      v.minLength(1),
      v.description('Each field that is wrong'),
    ),
  ),
});

const tokenParameter = v.pipe(v.string(), v.minLength(1));
const ofClient = v.exactOptional(
  v.pipe(tokenParameter, v.description('Absent only where the client is told by Basic')),
);

/**
 * A request to the token endpoint, which ignores other parameters.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-6 RFC 6749 section 6}
 */
const TokenRequest = v.pipe(
  v.looseObject({
    grant_type: v.literal('refresh_token'),
    refresh_token: tokenParameter,
    client_id: ofClient,
    client_secret: ofClient,
  }),
  v.metadata({ dependentRequired: { client_secret: ['client_id'] } }),
);

const Token = v.strictObject({
  access_token: v.pipe(v.string(), v.description('A signed JWT (RFC 9068)')),
  token_type: v.literal('Bearer'),
  expires_in: v.pipe(v.number(), v.integer(), v.minValue(1), v.description('Seconds')),
});

/** @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.2 RFC 6749 section 5.2} */
const TokenError = v.strictObject({
  error: v.picklist([
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'unsupported_grant_type',
    'temporarily_unavailable',
    'server_error',
  ]),
  error_description: v.exactOptional(v.string()),
});

/** @see {@link https://www.rfc-editor.org/rfc/rfc7517#section-5 RFC 7517 section 5} */
const KeySet = v.strictObject({
  keys: v.array(
    v.strictObject({
      kty: v.literal('EC'),
      crv: v.literal('P-256'),
      alg: v.literal('ES256'),
      use: v.literal('sig'),
      kid: v.string(),
      x: v.string(),
      y: v.string(),
    }),
  ),
});

const described = {
  NewDog: [DogPutDocument, 'What a client sets of a dog'],
  Dog: [DogDocument, 'A dog'],
  ListedDog: [DogFields, 'A dog as the list shows it'],
  DogList: [DogListDocument, 'A page of dogs'],
  NewBark: [BarkDocument, 'What a bark may be asked for with'],
  Bark: [BarkResource, 'A bark'],
  BarkList: [BarkListDocument, 'A page of recorded barks, the newest first'],
  AcceptedBark: [AcceptedBark, 'Where to look for a bark that was accepted'],
  SchedulePatch: [DogPatchDocument, "A merge patch (RFC 7396) of a dog's bark schedule"],
  NewBarkSchedule: [BarkScheduleDocument, 'A bark schedule, and the token by which it is set once'],
  BarkSchedule: [BarkScheduleResource, 'When a dog barked last by a schedule, and when it barks next'],
  LastBark: [LastBarkResource, 'The last bark of a dog, whichever that is'],
  TokenRequest: [TokenRequest, 'A refresh token, and the client that it was given to'],
  Token: [Token, 'An access token'],
  TokenError: [TokenError, 'Why there is no access token (RFC 6749 section 5.2)'],
  KeySet: [KeySet, 'Public keys (RFC 7517)'],
  Problem: [Problem, 'What went wrong (RFC 9457)'],
} as const satisfies Record<string, readonly [GenericSchema, string]>;

export type SchemaName = keyof typeof described;

/** Returns the named schemas of the description, made from the schemas that validate requests. */
export function schemas(): Record<string, Schema> {
  const named = Object.entries(described).map(([name, [schema]]) => [name, schema] as const);
  const converted = jsonSchemasOf(Object.fromEntries(named));
  return Object.fromEntries(
    Object.entries(described).map(([name, [, description]]) => [name, { description, ...converted[name] }]),
  );
}

/** Returns the media type of a document that has one of the named schemas, with examples by name. */
export function documentOf(name: SchemaName, examples: Readonly<Record<string, unknown>>): MediaType {
  return {
    schema: { $ref: `#/components/schemas/${name}` },
    examples: Object.fromEntries(Object.entries(examples).map(([key, value]) => [key, { value }])),
  };
}
