import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as v from 'valibot';
import { unknownField } from '../domain/platform/document.ts';
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
 * Goes before middy's JSON body parser: refuses what is too large, gives an empty body its meaning, and puts the
 * parser's refusals in the words of the interface (413, then 415, then 400).
 */
export function bodyGuard({
  empty,
  acceptHeader,
}: BodyRules<v.GenericSchema>): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    before: ({ event }) => {
      const { length: size } = bytesOf(event);
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
      const { statusCode } = request.error as { statusCode?: number };
      if (statusCode === 415)
        request.error = new Problem(415, 'The body must be JSON, with Content-Type: application/json.', {
          headers: { [acceptHeader]: 'application/json' },
        });
      else if (statusCode !== undefined)
        request.error = new Problem(400, 'The body is not valid JSON, or has a key that is not allowed.');
    },
  };
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

function lowerCased(headers: APIGatewayProxyEvent['headers'] | null): APIGatewayProxyEvent['headers'] {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
