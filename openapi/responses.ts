import { type GatewayResponse, gatewayResponses } from '../lambdas/contract/gateway-responses.ts';
import { type ProblemType, problemKind, problemUri } from '../lambdas/contract/problem-types.ts';
import type { Route } from '../lambdas/contract/routes.ts';
import { phrases } from '../lambdas/contract/status-text.ts';
import { service } from './examples.ts';
import { header } from './headers.ts';
import { documentOf } from './schemas.ts';
import type { Header, MediaType, Reference, Response } from './types.ts';

type Headers = Readonly<Record<string, Header | Reference>>;

const always: Headers = {
  'X-Request-Id': header('X-Request-Id'),
  'X-Content-Type-Options': header('X-Content-Type-Options'),
  'Cache-Control': header('Cache-Control'),
};

/** Without `content`, the response has no body. */
export function response(
  description: string,
  { headers = {}, content }: { headers?: Headers; content?: Content } = {},
): Response {
  return { description, headers: { ...always, ...headers }, ...(content && { content }) };
}

export const tooLarge = 'The request body is 70000 bytes long. The limit is 65536 bytes.';
export const gatewayTooLarge =
  'If the body is larger than about 6 MB, API Gateway generates the 413 response itself. The body of that response is JSON with only a `message`, and the response has none of the header fields that this document describes.';
export const methodOverridden =
  'The request has an X-HTTP-Method-Override header. Remove the header, and send the request with the intended method.';
export const malformedEntityTags =
  'The If-Match header must be * or a list of entity tags in double quotes. Send the ETag of your last GET.';
export const falsePrecondition =
  'The resource does not meet the precondition in If-Match, If-None-Match or If-Unmodified-Since. GET it again.';
export const integrationFailure = 'The service failed. The request may have taken effect.';

/** The members in which examples of the same kind of problem differ. */
export interface ProblemExample {
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** Examples of the problems with one status, by slug. A string is the `detail` of an example without `errors`. */
export type ProblemExamples = {
  readonly [Type in ProblemType]?: string | ProblemExample | readonly (string | ProblemExample)[];
};

/**
 * The types are those of the examples, those that every operation may return with the status and, if API Gateway generates
 * responses with the status itself, `about:blank`.
 *
 * @param problems examples of every kind of problem that the operation may return with the status
 * @param gatewayDetails the details of the responses that API Gateway generates, by example name
 */
export function problem(
  status: number,
  description: string,
  problems: ProblemExamples,
  headers: Headers = {},
  gatewayDetails: Readonly<Record<string, string>> = {},
): Response {
  const types = new Set([...typesOf(problems), ...typesOf(functionProblems[status] ?? {})]);
  const examples = { ...examplesOfTypes(status, problems), ...gatewayExamples(status, gatewayDetails) };
  const content = problemContent(status, [...types], examples);
  return response(description, { headers: { ...headers, ...ofGateway(status) }, content });
}

/** For responses that API Gateway generates itself, except those that it generates only for routes with an authorizer. */
export function gatewayContent(status: number): Content {
  return problemContent(status, [], gatewayExamples(status, gatewayDetailsOf(status, 'public')));
}

type Content = Readonly<Record<string, MediaType>>;

function problemContent(
  status: number,
  types: readonly ProblemType[],
  values: Readonly<Record<string, unknown>>,
): Content {
  // The types are not part of the schema, because some generators ignore a reference that has other members.
  return {
    'application/problem+json': {
      ...documentOf('Problem', values),
      'x-problem-types': [...(gatewayStatuses.has(status) ? ['about:blank'] : []), ...types],
    },
  };
}

function typesOf(problems: ProblemExamples): ProblemType[] {
  return Object.keys(problems) as ProblemType[];
}

function examplesOfTypes(status: number, problems: ProblemExamples): Record<string, unknown> {
  const entries = typesOf(problems).flatMap((type) =>
    [problems[type] ?? []].flat().map((example, i) => [
      `${camelCased(type, '-')}${i === 0 ? '' : i + 1}`,
      {
        type: problemUri(type, service),
        title: problemKind(type).title,
        status,
        ...(typeof example === 'string' ? { detail: example } : example),
        instance,
      },
    ]),
  );
  return Object.fromEntries(entries);
}

function gatewayExamples(status: number, details: Readonly<Record<string, string>>): Record<string, unknown> {
  const entries = Object.entries(details).map(([name, detail]) => [
    name,
    { type: 'about:blank', title: phrases[status], status, detail, instance },
  ]);
  return Object.fromEntries(entries);
}

const instance = '#JKJaXmPLvHcESHA=';

/** The statuses in `gatewayResponses` and in `otherGatewayDetails`. */
const gatewayStatuses = new Set([...gatewayResponses.map(({ status }) => status), 500, 502]);

/**
 * API Gateway adds `x-amzn-ErrorType` to every response that it generates itself. Functions do not send it, and only they send
 * `X-Request-Id`.
 *
 * @returns an empty object if API Gateway generates no responses with this status
 */
export function ofGateway(status: number): Headers {
  if (!gatewayStatuses.has(status)) return {};
  return { 'X-Request-Id': header('RequestIdOfService'), 'x-amzn-ErrorType': header('x-amzn-ErrorType') };
}

/** The problems that every operation's function may return. */
const functionProblems: Readonly<Record<number, ProblemExamples>> = {
  400: {
    'method-overridden': methodOverridden,
    'invalid-entity-tag': malformedEntityTags,
  },
  413: { 'body-too-large': tooLarge },
  500: {
    'internal-error':
      'The service failed unexpectedly. Report the X-Request-Id of this response to the operator.',
  },
  503: { 'service-unavailable': 'The database is overloaded or unreachable. Send the request again later.' },
};

/** The details of API Gateway's responses that `gatewayResponses` does not list. */
const otherGatewayDetails: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  500: { integrationFailure },
  502: { integrationFailure },
};

const descriptions: Readonly<Record<number, string>> = {
  400: 'If-Match or If-None-Match is malformed, or the request has an X-HTTP-Method-Override header.',
  401: 'The credentials are missing or wrong, or the request has several Authorization headers or an X-HTTP-Method-Override header.',
  403: 'The credentials do not allow the request, or the firewall blocked it.',
  413: `The request is too large. ${gatewayTooLarge}`,
  429: 'The service is receiving too many requests, or the request quota is exhausted.',
  500: 'The service failed. The request may have taken effect.',
  502: 'The service failed, or a service that it depends on refused the request. `detail` states whether the request may have taken effect.',
  503: 'The service, or a service that it depends on, is overloaded or unreachable.',
  504: 'The service did not respond in time. The request may have taken effect. Before you send it again, check whether it took effect.',
};

/** The descriptions that differ for operations that require no user credentials. */
const publicDescriptions: Readonly<Record<number, string>> = {
  403: 'The firewall blocked the request.',
};

type Access = Route['access'];

export function commonStatuses(access: Access): number[] {
  const statuses = Object.keys(descriptions).map(Number);
  return access === 'user' ? statuses : statuses.filter((status) => status !== 401);
}

function commonResponse(status: number, access: Access): Response {
  const names = new Set(rowsOf(status, access).flatMap(({ headers = {} }) => Object.keys(headers)));
  const headers = Object.fromEntries(
    [...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const description = (access === 'public' && publicDescriptions[status]) || (descriptions[status] ?? '');
  const details = gatewayDetailsOf(status, access);
  return problem(status, description, functionProblems[status] ?? {}, headers, details);
}

/** The details of the responses that API Gateway generates itself, by example name. */
export function gatewayDetailsOf(status: number, access: Access): Record<string, string> {
  const rows = rowsOf(status, access);
  // Several response types can have the same detail. One example is enough.
  const distinct = rows.filter(({ detail }, i) => rows.findIndex((row) => row.detail === detail) === i);
  return {
    ...Object.fromEntries(distinct.map(({ type, detail }) => [camelCased(type.toLowerCase(), '_'), detail])),
    ...otherGatewayDetails[status],
  };
}

function rowsOf(status: number, access: Access): GatewayResponse[] {
  return gatewayResponses.filter(
    (row) => row.status === status && (access === 'user' || !row.needsAuthorizer),
  );
}

function camelCased(name: string, separator: '-' | '_'): string {
  const [first = '', ...others] = name.split(separator);
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** The responses that operations share, by component name. */
export function responseComponents(): Record<string, Response> {
  const common = (['user', 'public'] as const).flatMap((access) =>
    commonStatuses(access).map((status) => [componentName(status, access), commonResponse(status, access)]),
  );
  return { ...Object.fromEntries(common), PreconditionFailed: preconditionFailed };
}

const preconditionFailed = problem(
  412,
  'A precondition of the request is false, and the request had no effect.',
  {
    'precondition-failed': [
      falsePrecondition,
      'The ETag of the resource does not match If-Match. GET the resource without If-Match.',
      'The resource changed at Sat, 21 Nov 2026 07:01:00 GMT, after the date in If-Unmodified-Since. GET the resource without If-Unmodified-Since.',
    ],
  },
);

/** @param headers the header fields of the 200 response */
export function notModified(headers: Headers = {}): Response {
  return response(
    'The client already has the current representation. The header fields are those of the 200 response.',
    { headers },
  );
}

export function referenceTo(status: number, access: Access): Reference {
  return { $ref: `#/components/responses/${componentName(status, access)}` };
}

/** Both kinds of access share the component, unless the authorizer can cause responses with this status. */
function componentName(status: number, access: Access): string {
  const differs = rowsOf(status, 'user').length > rowsOf(status, access).length;
  return `${differs ? 'Public' : ''}${(phrases[status] ?? '').replaceAll(' ', '')}`;
}
