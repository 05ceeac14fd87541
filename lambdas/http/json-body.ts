import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as v from 'valibot';
import { unknownField } from '../domain/platform/document.ts';
import { jsonOf } from '../domain/platform/json.ts';
import { headerOf } from './header.ts';
import { mediaTypeOf } from './media-type.ts';
import { type FieldError, invalidBody, Problem } from './problem.ts';

/** What a route expects as its body. */
export interface BodyRules<Schema extends v.GenericSchema> {
  readonly schema: Schema;
  /** The document that an empty body stands for; without it, an empty body is refused. */
  readonly empty?: object;
  /** The header that tells, beside 415, what would have been accepted (RFC 9110 section 12.5.1, W3C LDP for POST). */
  readonly acceptHeader: 'Accept' | 'Accept-Patch' | 'Accept-Post';
}

const largestBody = 64 * 1024;

/**
 * The bytes of a body.
 *
 * @throws Problem 413
 */
export function bytesOf({
  body,
  isBase64Encoded,
}: Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>): Buffer {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > largestBody)
    throw new Problem(413, `The body has ${bytes.length} bytes; ${largestBody} are allowed.`);
  return bytes;
}

/**
 * Returns the middleware that goes before middy's JSON body parser. It refuses a body that is too large (413), empty (400)
 * or not JSON by its type (415), and words the parser's refusal (400).
 *
 * The middleware does not change the event. In place of an empty body that the route accepts, the parser gets a copy of the
 * event with the document that the empty body stands for.
 */
export function bodyGuard({
  empty,
  acceptHeader,
}: BodyRules<v.GenericSchema>): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    before: (request) => {
      const { event } = request;
      if (bytesOf(event).length === 0) {
        if (!empty) throw emptyBody();
        request.event = { ...event, body: JSON.stringify(empty), isBase64Encoded: false };
      } else if (!jsonMediaType.test(mediaTypeOf(headerOf(event, 'Content-Type'))))
        throw notJsonByType(acceptHeader, ['application/json']);
    },
    onError: (request) => {
      const { statusCode } = request.error as { statusCode?: number };
      if (statusCode !== undefined) request.error = notJson();
    },
  };
}

const jsonMediaType = /^application\/([a-z0-9.+-]+\+)?json$/;

/**
 * Returns the JSON document of a body, for a route that reads its body itself.
 *
 * @throws Problem 400 if the body is empty or is not JSON
 */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) throw emptyBody();
  const document = jsonOf(bytes.toString('utf8'));
  if (document === undefined) throw notJson();
  return document;
}

function emptyBody(): Problem {
  return new Problem(400, 'The body is empty; a JSON object is needed.');
}

function notJson(): Problem {
  return new Problem(400, 'The body is not valid JSON, or has a key that is not allowed.');
}

/** Returns the 415 for a body whose type is none of these media types. */
export function notJsonByType(
  acceptHeader: BodyRules<v.GenericSchema>['acceptHeader'],
  mediaTypes: readonly string[],
): Problem {
  return new Problem(415, `The body must be JSON, with Content-Type: ${mediaTypes.join(' or ')}.`, {
    headers: { [acceptHeader]: mediaTypes.join(', ') },
  });
}

/** @throws Problem 422, which names each fault */
export function validate<Schema extends v.GenericSchema>(
  schema: Schema,
  document: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, document);
  const errors = distinct([...(result.issues ?? []).map(fieldError), ...unseenFields(document)]);
  if (result.success && errors.length === 0) return result.output;
  throw invalidBody(errors);
}

/** Several rules of a field may be one to whoever reads of them. */
function distinct(errors: readonly FieldError[]): FieldError[] {
  return [...new Map(errors.map((error) => [`${error.pointer} ${error.detail}`, error])).values()];
}

/**
 * The id of a dog may be sent back in a body as GET gave it.
 *
 * @throws Problem 422 if it is another than that in the path
 */
export function checkId(inPath: string, inBody: unknown): void {
  if (inBody !== undefined && inBody !== inPath)
    throw invalidBody([{ pointer: '/id', detail: `must be "${inPath}", the id in the path, or absent` }]);
}

/**
 * The fields that valibot passes over in silence, lest they reach a prototype; none of them is known. Documents may be
 * nested deeper than calls may be.
 */
function unseenFields(document: unknown): FieldError[] {
  const unseen: FieldError[] = [];
  const rest = [{ value: document, pointer: '' }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, pointer } = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value))
      if (['__proto__', 'constructor', 'prototype'].includes(name))
        unseen.push({ pointer: `${pointer}/${name}`, detail: unknownField });
      else rest.push({ value: member, pointer: `${pointer}/${escaped(name)}` });
  }
  return unseen;
}

function fieldError(issue: v.BaseIssue<unknown>): FieldError {
  const keys = (issue.path ?? []).map(({ key }) => String(key));
  return {
    pointer: keys.map((key) => `/${escaped(key)}`).join(''),
    detail: issue.message,
  };
}

/** RFC 6901 section 3. */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
