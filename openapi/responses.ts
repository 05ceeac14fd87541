import { type GatewayAnswer, gatewayAnswers } from '../lambdas/contract/gateway-responses.ts';
import { phrases } from '../lambdas/contract/status-text.ts';
import { header } from './headers.ts';
import { documentOf } from './schemas.ts';
import type { Header, MediaType, Reference, Response } from './types.ts';

type Headers = Readonly<Record<string, Header | Reference>>;

/** The header fields of every response. */
const always: Headers = {
  'X-Request-Id': header('X-Request-Id'),
  'X-Content-Type-Options': header('X-Content-Type-Options'),
  'Cache-Control': header('Cache-Control'),
};

/** Returns a response of an operation. The response has no body if `content` is absent. */
export function response(
  description: string,
  { headers = {}, content }: { headers?: Headers; content?: Readonly<Record<string, MediaType>> } = {},
): Response {
  return { description, headers: { ...always, ...headers }, ...(content && { content }) };
}

/** The members of a problem document that differ between the examples of one status. */
export interface ProblemExample {
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/**
 * Returns a response with a problem document.
 *
 * @param problems an example for each cause, by its name. A string is the detail
 */
export function problem(
  status: number,
  description: string,
  problems: Readonly<Record<string, ProblemExample | string>>,
  headers: Headers = {},
): Response {
  const examples = Object.entries(problems).map(([name, example]) => [
    name,
    {
      type: 'about:blank',
      title: phrases[status],
      status,
      ...(typeof example === 'string' ? { detail: example } : example),
      instance: '#JKJaXmPLvHcESHA=',
    },
  ]);
  const content = { 'application/problem+json': documentOf('Problem', Object.fromEntries(examples)) };
  return response(description, { headers: { ...headers, ...errorTypeOf(status) }, content });
}

/** The statuses of the responses that API Gateway generates itself: those in the table, and those of its own failures. */
const gatewayStatuses = new Set([...gatewayAnswers.map(({ status }) => status), 500, 502]);

/** Returns the header field that API Gateway adds to each response that it generates itself. Functions do not send it. */
export function errorTypeOf(status: number): Headers {
  return gatewayStatuses.has(status) ? { 'x-amzn-ErrorType': header('x-amzn-ErrorType') } : {};
}

const unforeseen = 'Something unforeseen happened. It has been logged under the request id.';

/** The problems that functions return with the statuses that API Gateway uses, too. */
const functionProblems: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  400: {
    methodOverride:
      'The request has an X-HTTP-Method-Override header. Remove the header, and use the method itself.',
  },
  413: { tooLarge: 'The body has 70000 bytes; 65536 are allowed.' },
  500: { unforeseen },
  502: { failed: 'The service failed. Whether the request took effect is not known.' },
  503: { unavailable: 'The database is overloaded or out of reach.' },
};

const descriptions: Readonly<Record<number, string>> = {
  400: 'The request is malformed, or has an X-HTTP-Method-Override header.',
  401: 'The credentials are missing or wrong, or the request has an X-HTTP-Method-Override header.',
  403: 'The credentials do not allow the request, or the firewall refuses it.',
  413: 'The request is too large. For a body of more than about 6 MB, API Gateway returns a 413 of its own, which is not a problem document. It is JSON with only a `message`, and has none of the header fields of this description.',
  429: 'The client sends too many requests at once.',
  500: 'The service failed. The request may have taken effect.',
  502: 'The service failed, or a service that it depends on refused the request. `detail` states whether the request took effect.',
  503: 'The service, or a service that it depends on, is overloaded or unreachable.',
  504: 'The service did not respond in time. The request may have taken effect.',
};

/** The statuses that every operation may return. */
export const commonStatuses = Object.keys(descriptions).map(Number);

/** Returns a response that every operation may return. */
export function commonResponse(status: number): Response {
  const rows = gatewayAnswers.filter((row) => row.status === status);
  const problems = Object.fromEntries(rows.map(({ type, detail }) => [camelCased(type), detail]));
  const names = new Set(rows.flatMap(({ headers = {} }: GatewayAnswer) => Object.keys(headers)));
  const headers = Object.fromEntries(
    [...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const examples = { ...problems, ...functionProblems[status] };
  return problem(status, descriptions[status] ?? '', examples, headers);
}

function camelCased(type: string): string {
  return type.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the responses that every operation may return, by the names of their components. */
export function responseComponents(): Record<string, Response> {
  return Object.fromEntries(commonStatuses.map((status) => [componentName(status), commonResponse(status)]));
}

/** Returns a reference to a response that every operation may return. */
export function referenceTo(status: number): Reference {
  return { $ref: `#/components/responses/${componentName(status)}` };
}

function componentName(status: number): string {
  return (phrases[status] ?? '').replaceAll(' ', '');
}
