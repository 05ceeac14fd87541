import type { GenericSchema } from 'valibot';
import * as v from 'valibot';
import { mapSettings, settingTexts } from '../lambdas/contract/dog-settings.ts';
import { gatewayResponses } from '../lambdas/contract/gateway-responses.ts';
import { BarkDocument } from '../lambdas/domain/barks/schema.ts';
import { dogPutDocument } from '../lambdas/domain/dogs/schema.ts';
import { BarkScheduleDocument, DogPatchDocument } from '../lambdas/domain/schedules/schema.ts';
import { integerBetween, listOf, literal, matching, oneOf, text, url } from './described.ts';
import { jsonSchemasOf, withNumberFormats } from './json-schema.ts';
import {
  BarkListDocument,
  BarkResource,
  BarkScheduleResource,
  DogDocument,
  DogFields,
  DogListDocument,
  LastBarkResource,
  SettledBarkResource,
} from './representations.ts';
import type { MediaType, Schema } from './types.ts';

/** The body of a 202 response to a client that prefers JSON. */
const AcceptedBark = v.strictObject({
  bark: url('The URL of the bark.'),
  status: literal('pending', 'The dog has not barked yet.'),
});

const FieldError = v.strictObject({
  pointer: text('The JSON Pointer (RFC 6901) to the field.'),
  detail: text('What is wrong with the field.'),
});

/** @see {@link https://www.rfc-editor.org/rfc/rfc9457 RFC 9457} */
const Problem = v.strictObject({
  type: matching(
    /^about:blank$|\/docs#problem-[a-z-]+$/,
    'A URI that identifies the kind of problem and links to its description. To distinguish problems in a program, compare only the part after `#problem-`. The type is `about:blank` if API Gateway generated the response.',
  ),
  title: text(
    'The title of the kind of problem, or the reason phrase of the status if the type is `about:blank`.',
  ),
  status: v.exactOptional(integerBetween(400, 599, 'The status of the response.')),
  detail: text('What is wrong, in one or two sentences.'),
  instance: matching(
    /^#\S+$/,
    'A URI reference that consists of # and the ID of the request, which X-Request-Id also contains.',
  ),
  errors: v.exactOptional(
    v.pipe(v.array(FieldError), v.minLength(1), v.description('The invalid fields of the body.')),
  ),
});

const tokenParameter = v.pipe(v.string(), v.minLength(1));
const clientParameter = (description: string) =>
  v.exactOptional(v.pipe(tokenParameter, v.description(description)));

/** @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-6 RFC 6749 section 6} */
const TokenRequest = v.pipe(
  v.looseObject({
    grant_type: literal('refresh_token', 'The grant type.'),
    refresh_token: v.pipe(tokenParameter, v.description('The refresh token of the user.')),
    client_id: clientParameter(
      'The ID of the client. Alternatively, you may send it in an Authorization header with the Basic scheme.',
    ),
    client_secret: clientParameter(
      'The secret of the client. Alternatively, you may send it in an Authorization header with the Basic scheme.',
    ),
  }),
  v.metadata({ dependentRequired: { client_secret: ['client_id'] } }),
);

const Token = v.strictObject({
  access_token: text('The access token: a signed JWT (RFC 9068).'),
  token_type: literal('Bearer', 'Send the token in the header `Authorization: Bearer <token>`.'),
  expires_in: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1),
    v.description('The lifetime of the access token in seconds.'),
  ),
});

/** @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.2 RFC 6749 section 5.2} */
const TokenError = v.strictObject({
  error: oneOf(
    [
      'invalid_request',
      'invalid_client',
      'invalid_grant',
      'unsupported_grant_type',
      'temporarily_unavailable',
      'server_error',
    ],
    'The error code.',
  ),
  error_description: v.exactOptional(text('What is wrong, in one or two sentences.')),
});

const PublicKey = v.strictObject({
  kty: literal('EC', 'The key type: elliptic curve.'),
  crv: literal('P-256', 'The curve.'),
  alg: literal('ES256', 'The signature algorithm.'),
  use: literal('sig', 'The use of the key: to verify signatures.'),
  kid: text('The ID of the key. The header of a token contains the ID of the key that signed it.'),
  x: text('The x coordinate of the point, in base64url.'),
  y: text('The y coordinate of the point, in base64url.'),
});

/** @see {@link https://www.rfc-editor.org/rfc/rfc7517 RFC 7517} */
const KeySet = v.strictObject({
  keys: listOf(PublicKey, 'The public keys that verify access tokens.'),
});

const DogRequest = dogPutDocument(
  mapSettings((name) => {
    const { description, rule } = settingTexts[name];
    return rule ? `${description} ${rule}` : description;
  }),
);

const documents = {
  DogRequest: [DogRequest, 'The settings of a dog, as the body of PUT.'],
  Dog: [DogDocument, 'A dog with its settings, its latest barks and its schedule.'],
  ListedDog: [DogFields, 'A dog in the list of dogs, without its barks.'],
  DogList: [DogListDocument, 'A page of the list of dogs.'],
  BarkRequest: [BarkDocument, 'The body of a request to bark.'],
  Bark: [BarkResource, 'A bark and its status.'],
  SettledBark: [SettledBarkResource, 'A bark that is complete, failed or cancelled.'],
  BarkList: [BarkListDocument, 'A page of the recorded barks of a dog, newest first.'],
  AcceptedBark: [AcceptedBark, 'The URL of an asynchronous bark that the service has accepted.'],
  SchedulePatch: [DogPatchDocument, 'A merge patch (RFC 7396) of the bark schedule of a dog.'],
  BarkScheduleRequest: [BarkScheduleDocument, 'A bark schedule, and the token that identifies the request.'],
  BarkSchedule: [BarkScheduleResource, 'The times of the last and the next scheduled bark of a dog.'],
  LastBark: [LastBarkResource, "A dog's last bark, in any variant."],
  TokenRequest: [TokenRequest, 'A refresh token and the credentials of its client (RFC 6749 section 6).'],
  Token: [Token, 'An access token (RFC 6749 section 5.1).'],
  TokenError: [
    TokenError,
    'The reason why the service did not issue an access token (RFC 6749 section 5.2).',
  ],
  KeySet: [KeySet, 'The public keys that verify access tokens (RFC 7517).'],
  Problem: [Problem, 'A problem document, which describes an error (RFC 9457).'],
} as const satisfies Record<string, readonly [GenericSchema, string]>;

export type SchemaName = keyof typeof documents;

export function schemas(): Record<string, Schema> {
  const named = Object.entries(documents).map(([name, [schema]]) => [name, schema] as const);
  const converted = withNumberFormats(jsonSchemasOf(Object.fromEntries(named)));
  return Object.fromEntries(
    Object.entries(documents).map(([name, [, description]]) => [name, { description, ...converted[name] }]),
  );
}

/** @param examples the examples by camel-case name. Each summary is derived from the name */
export function documentOf(name: SchemaName, examples: Readonly<Record<string, unknown>>): MediaType {
  return {
    schema: { $ref: `#/components/schemas/${name}` },
    examples: Object.fromEntries(
      Object.entries(examples).map(([key, value]) => [key, { summary: summaryOf(key), value }]),
    ),
  };
}

/** The content of a JSON body. @param examples the examples by camel-case name */
export function json(name: SchemaName, examples: Readonly<Record<string, unknown>>) {
  return { 'application/json': documentOf(name, examples) };
}

/** @param outline the page without most of its content, as an example */
export function htmlPage(outline: string): MediaType {
  return {
    schema: { type: 'string', pattern: '^<!doctype html>' },
    examples: { page: { summary: 'An outline of the page', value: outline } },
  };
}

/** For examples whose names do not make suitable summaries. */
const summaries: Readonly<Record<string, string>> = {
  onceLater: 'Once, at a later time',
  ...Object.fromEntries(
    gatewayResponses.flatMap(({ type, summary }) => (summary ? [[gatewayExampleName(type), summary]] : [])),
  ),
};

/** The name of the example of a response that API Gateway generates itself. */
export function gatewayExampleName(type: string): string {
  return camelCased(type.toLowerCase(), '_');
}

export function camelCased(name: string, separator: '-' | '_'): string {
  const [first = '', ...others] = name.split(separator);
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Turns `everyTenMinutes` into `Every ten minutes`. */
function summaryOf(name: string): string {
  const words = name
    .replace(/[A-Z]|[0-9]+/g, (part) => ` ${part.toLowerCase()}`)
    .replace(/\b(?:id|json)\b/g, (acronym) => acronym.toUpperCase());
  return summaries[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
