import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as v from 'valibot';
import { type FieldError, Problem } from './problem.ts';

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
 * Goes before middy's JSON body parser: refuses what is too large, gives an empty body its meaning, and puts the
 * parser's refusals in the words of the interface (413, then 415, then 400).
 */
export function bodyGuard({
  empty,
  acceptHeader,
}: BodyRules<v.GenericSchema>): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    before: ({ event }) => {
      const size = Buffer.byteLength(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
      if (size > largestBody)
        throw new Problem(413, `The body has ${size} bytes; ${largestBody} are allowed.`);
      event.headers = lowerCased(event.headers);
      // RFC 9110 section 5.6.6 allows white space before a parameter, the parser does not.
      event.headers['content-type'] = event.headers['content-type']?.replace(/\s+;/, ';');
      if (size > 0) return;
      if (!empty) throw new Problem(400, 'The body is empty; a JSON object is needed.');
      event.body = JSON.stringify(empty);
      event.isBase64Encoded = false;
      event.headers['content-type'] = 'application/json';
    },
    onError: (request) => {
      const { statusCode, cause } = request.error as { statusCode?: number; cause?: unknown };
      if (statusCode === 415)
        request.error = new Problem(415, 'The body must be JSON, with Content-Type: application/json.', {
          headers: { [acceptHeader]: 'application/json' },
          cause,
        });
      else if (statusCode !== undefined)
        request.error = new Problem(400, 'The body is not valid JSON, or has a key that is not allowed.', {
          cause,
        });
    },
  };
}

const unknownField = 'is not a known field';
const notAnArray = v.never('must be a JSON object');

/** @throws Problem 422, which names each fault */
export function validate<Schema extends v.GenericSchema>(
  schema: Schema,
  document: unknown,
): v.InferOutput<Schema> {
  // An array is an object to the schemas.
  const result = v.safeParse(Array.isArray(document) ? notAnArray : schema, document);
  const errors = [...(result.issues ?? []).map(fieldError), ...unseenFields(document)];
  if (result.success && errors.length === 0) return result.output;
  throw new Problem(422, `The body is not as it should be: ${errors.map(inWords).join('; ')}.`, { errors });
}

/** The fields that valibot passes over in silence, lest they reach a prototype; none of them is known. */
function unseenFields(document: unknown): FieldError[] {
  return ['constructor', 'prototype']
    .filter((name) => typeof document === 'object' && document !== null && Object.hasOwn(document, name))
    .map((name) => ({ pointer: `/${name}`, detail: unknownField }));
}

function fieldError(issue: v.BaseIssue<unknown>): FieldError {
  const keys = (issue.path ?? []).map(({ key }) => String(key));
  return {
    pointer: keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    detail: issue.expected === 'never' && keys.length > 0 ? unknownField : issue.message,
  };
}

function inWords({ pointer, detail }: FieldError): string {
  return `${pointer || 'it'} ${detail}`;
}

function lowerCased(headers: APIGatewayProxyEvent['headers'] | null): APIGatewayProxyEvent['headers'] {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
