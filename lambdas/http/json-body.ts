import { isUtf8 } from 'node:buffer';
import type { MiddlewareObj } from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { unknownField } from '../domain/platform/document.ts';
import { jsonOf } from '../domain/platform/json.ts';
import { headerOf, mediaTypeOf } from './header.ts';
import { jsonSyntaxError } from './json-syntax.ts';
import { type FieldError, invalidBody, Problem } from './problem.ts';

export interface BodyRules<Schema extends v.GenericSchema = v.GenericSchema> {
  readonly schema: Schema;
  /** Replaces an empty body, which otherwise causes a 400 response, and null, which some clients send instead. */
  readonly empty?: object;
  /**
   * The header field that lists the accepted media types in a 415 response.
   *
   * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1 RFC 9110 section 12.5.1}
   * @see {@link https://www.w3.org/TR/ldp/#header-accept-post Linked Data Platform section 7.1}
   */
  readonly acceptHeader: 'Accept' | 'Accept-Patch' | 'Accept-Post';
}

const largestBodyBytes = 64 * 1024;

/** @throws Problem 413 if the body is larger than 64 KiB */
export function bytesOf(event: Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>): Buffer {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > largestBodyBytes)
    throw new Problem(
      'body-too-large',
      `The request body is ${bytes.length} bytes long. The limit is ${largestBodyBytes} bytes.`,
    );
  return bytes;
}

const jsonMediaType = /^application\/([a-z0-9.+-]+\+)?json$/;

const parser = jsonBodyParser({ disableContentTypeCheck: true });

/**
 * Parses the body with middy's parser, in a copy of the event, because the caller's event must not change. That parser replaces
 * bytes that are not UTF-8, gives no reason for an error, and overflows the call stack if a document is deeply nested.
 *
 * @throws Problem 400, 413 or 415 for the body
 */
export function jsonBody({
  empty,
  acceptHeader,
}: Omit<BodyRules, 'schema'>): MiddlewareObj<APIGatewayProxyEvent> {
  return {
    before: (request) => {
      const { event } = request;
      const bytes = bytesOf(event);
      const replace = (body: unknown) => {
        request.event = { ...event, body: body as string };
      };
      if (bytes.length === 0 && empty) return replace(empty);
      if (bytes.length > 0 && !jsonMediaType.test(mediaTypeOf(headerOf(event, 'Content-Type'))))
        throw notJsonByType(acceptHeader, ['application/json']);
      replace(event.body);
      try {
        if (bytes.length > 0 && isUtf8(bytes)) return void parser.before?.(request);
      } catch {}
      replace(withoutForbiddenKey(parseBody(bytes)));
    },
  };
}

/** @throws Problem 400 if the document has a key that could change a prototype */
function withoutForbiddenKey(document: unknown): unknown {
  if (!unseenMembers(document).some(changesPrototype)) return document;
  throw new Problem(
    'forbidden-key',
    'The request body has a forbidden key: "__proto__", or a "constructor" that contains "prototype". Remove the key.',
  );
}

/**
 * JSON can be nested to any depth, because `JSON.parse` is not recursive.
 *
 * @throws Problem 400 if the body is empty or is not JSON
 */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new Problem('empty-body', 'The request body is empty. Send a JSON object.');
  // https://www.rfc-editor.org/rfc/rfc8259#section-8.1
  if (!isUtf8(bytes))
    throw new Problem('invalid-json', 'The request body is not encoded in UTF-8. Send JSON in UTF-8.');
  const text = bytes.toString('utf8');
  const document = jsonOf(text);
  if (document === undefined)
    throw new Problem('invalid-json', `The request body is not valid JSON: ${jsonSyntaxError(text)}.`);
  return document;
}

export function notJsonByType(
  acceptHeader: BodyRules['acceptHeader'],
  mediaTypes: readonly string[],
): Problem {
  return new Problem(
    'unsupported-media-type',
    `The request body must be JSON. Send it with Content-Type: ${mediaTypes.join(' or ')}.`,
    { headers: { [acceptHeader]: mediaTypes.join(', ') } },
  );
}

/** @throws Problem 422 with every error in the document */
export function validate<Schema extends v.GenericSchema>(
  schema: Schema,
  document: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, document);
  const unseen = unseenMembers(document).map(({ pointer }) => ({ pointer, detail: unknownField }));
  const errors = [...(result.issues ?? []).map(fieldError), ...unseen];
  if (result.success && errors.length === 0) return result.output;
  const distinct = new Map(errors.map((error) => [`${error.pointer} ${error.detail}`, error]));
  throw invalidBody([...distinct.values()]);
}

/**
 * A body may contain the ID, because clients can send the document that GET returned.
 *
 * @throws Problem 422 if it differs from the ID in the path
 */
export function checkId(inPath: string, inBody: unknown): void {
  if (inBody !== undefined && inBody !== null && inBody !== inPath)
    throw invalidBody([{ pointer: '/id', detail: `must be absent or "${inPath}", the ID in the path` }]);
}

interface Member {
  readonly name: string;
  readonly value: unknown;
  readonly pointer: string;
}

/**
 * Finds the members that valibot ignores because they could change a prototype. Not recursive, because a deeply nested document
 * could overflow the call stack.
 */
function unseenMembers(document: unknown): Member[] {
  const unseen: Member[] = [];
  const rest = [{ value: document, pointer: '' }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, pointer } = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value))
      if (['__proto__', 'constructor', 'prototype'].includes(name))
        unseen.push({ name, value: member, pointer: `${pointer}/${name}` });
      else rest.push({ value: member, pointer: `${pointer}/${escaped(name)}` });
  }
  return unseen;
}

function changesPrototype({ name, value }: Member): boolean {
  return name === '__proto__' || (name === 'constructor' && Object.hasOwn(Object(value), 'prototype'));
}

function fieldError(issue: v.BaseIssue<unknown>): FieldError {
  const pointer = (issue.path ?? []).map(({ key }) => `/${escaped(String(key))}`).join('');
  return { pointer, detail: issue.message };
}

/** For a JSON Pointer: https://www.rfc-editor.org/rfc/rfc6901#section-3 */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
