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

/** Returns a response of a route. Without content, its body is empty. */
export function answer(
  description: string,
  { headers = {}, content }: { headers?: Headers; content?: Readonly<Record<string, MediaType>> } = {},
): Response {
  return { description, headers: { ...always, ...headers }, ...(content && { content }) };
}

export interface Fault {
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** Returns the response for a problem of a route, with an example of each fault. */
export function problem(
  status: number,
  description: string,
  faults: Readonly<Record<string, Fault | string>>,
  headers: Headers = {},
): Response {
  const examples = Object.entries(faults).map(([name, fault]) => [
    name,
    {
      type: 'about:blank',
      title: phrases[status],
      status,
      ...(typeof fault === 'string' ? { detail: fault } : fault),
      instance: '#JKJaXmPLvHcESHA=',
    },
  ]);
  const content = { 'application/problem+json': documentOf('Problem', Object.fromEntries(examples)) };
  return answer(description, { headers: { ...headers, ...errorTypeOf(status) }, content });
}

/** The statuses of the responses that API Gateway generates itself: those in the table, and those of unexpected errors. */
const gatewayStatuses = new Set([...gatewayAnswers.map(({ status }) => status), 500, 502]);

/** Returns the header field that only the responses have that API Gateway generates itself. */
export function errorTypeOf(status: number): Headers {
  return gatewayStatuses.has(status) ? { 'x-amzn-ErrorType': header('x-amzn-ErrorType') } : {};
}

const unforeseen = 'Something unforeseen happened. It has been logged under the request id.';

/** The details that functions respond with, for statuses that API Gateway also generates itself. */
const ofFunctions: Readonly<Record<number, Readonly<Record<string, string>>>> = {
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
  400: 'The request is not well formed, or has an X-HTTP-Method-Override header',
  401: 'Missing or wrong credentials, or an X-HTTP-Method-Override header',
  403: 'The credentials do not allow this, or the firewall refuses it',
  413: 'The request is too large. For a body of more than about 6 MB, API Gateway returns a 413 of its own, which is not a problem document. It is JSON with only a `message`, and has none of the header fields below',
  429: 'Too many requests at once',
  500: 'The service failed; whether the request took effect is not known',
  502: 'The service failed, or what it needs refused; the detail tells what took effect',
  503: 'A part that is needed is overloaded or out of reach',
  504: 'The service did not answer in time; whether the request took effect is not known',
};

/** The statuses that any route may respond with. */
export const commonStatuses = Object.keys(descriptions).map(Number);

function nameOf(status: number): string {
  return (phrases[status] ?? '').replaceAll(' ', '');
}

/** Returns a response that any route may have. */
export function common(status: number): Response {
  const own = gatewayAnswers.filter((one) => one.status === status);
  const faults = Object.fromEntries(own.map(({ type, detail }) => [camelCased(type), detail]));
  const names = new Set(own.flatMap(({ headers = {} }: GatewayAnswer) => Object.keys(headers)));
  const headers = Object.fromEntries(
    [...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  return problem(status, descriptions[status] ?? '', { ...faults, ...ofFunctions[status] }, headers);
}

function camelCased(type: string): string {
  return type.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the responses that any route may have, by name. */
export function commonResponses(): Record<string, Response> {
  return Object.fromEntries(commonStatuses.map((status) => [nameOf(status), common(status)]));
}

export function commonResponse(status: number): Reference {
  return { $ref: `#/components/responses/${nameOf(status)}` };
}
