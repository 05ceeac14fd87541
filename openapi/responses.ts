import { type GatewayResponse, gatewayResponses } from '../lambdas/contract/gateway-responses.ts';
import { type ProblemType, problemKind, problemUri } from '../lambdas/contract/problem-types.ts';
import type { Route } from '../lambdas/contract/routes.ts';
import { phrases } from '../lambdas/contract/status-text.ts';
import { service } from './examples.ts';
import { header } from './headers.ts';
import { detailOf } from './problem-descriptions.ts';
import { camelCased, documentOf, gatewayExampleName } from './schemas.ts';
import type {
  Headers,
  MediaType,
  ProblemExample,
  Reference,
  Response,
  ResponseDescription,
  Responses,
} from './types.ts';

type Access = Route['access'];

const always: Headers = {
  'X-Request-Id': header('X-Request-Id'),
  'X-Content-Type-Options': header('X-Content-Type-Options'),
  'Cache-Control': header('Cache-Control'),
};

/**
 * API Gateway adds `x-amzn-ErrorType` to every response that it generates itself. Functions do not send it, and only they send
 * `X-Request-Id`.
 */
const ofGateway: Headers = {
  'X-Request-Id': header('RequestIdOfService'),
  'x-amzn-ErrorType': header('x-amzn-ErrorType'),
};

/** The statuses of the responses that API Gateway generates if a function fails. `gatewayResponses` does not list them. */
const integrationFailures: readonly number[] = [500, 502];

/** API Gateway generates some responses only for routes with an authorizer. */
const rowsFor = (access: Access) =>
  gatewayResponses.filter(({ needsAuthorizer }) => access === 'user' || !needsAuthorizer);

const statusesOfGateway = (access: Access): ReadonlySet<number> =>
  new Set([...rowsFor(access).map(({ status }) => status), ...integrationFailures]);

const gatewayStatuses = statusesOfGateway('user');

/** The problems that every operation's function may return. */
const functionProblems: Readonly<Record<number, readonly ProblemType[]>> = {
  400: ['method-overridden', 'invalid-entity-tag'],
  413: ['body-too-large'],
  500: ['internal-error'],
  503: ['service-unavailable'],
};

export function responsesOf(descriptions: Readonly<Record<number, ResponseDescription>>): Responses {
  return Object.fromEntries(
    Object.entries(descriptions).map(([status, one]) => [status, responseOf(Number(status), one)]),
  );
}

function responseOf(status: number, { description, headers, ...body }: ResponseDescription): Response {
  const { content, problems, gateway } = body;
  const isProblem = problems !== undefined || gateway !== undefined;
  return {
    description,
    headers: { ...always, ...headers, ...(isProblem && gatewayStatuses.has(status) && ofGateway) },
    ...((isProblem || content) && {
      content: { ...content, ...(isProblem && { 'application/problem+json': problemMedia(status, body) }) },
    }),
  };
}

/** The types are not part of the schema, because some generators ignore a reference that has other members. */
function problemMedia(status: number, { problems, gateway = {} }: Partial<ResponseDescription>): MediaType {
  const own = problems?.map((one) => (typeof one === 'string' ? one : one.type)) ?? [];
  const ofFunctions = problems === undefined ? [] : (functionProblems[status] ?? []);
  return {
    ...documentOf('Problem', {
      ...Object.fromEntries(problems?.map((one, i) => problemExample(status, one, own.slice(0, i))) ?? []),
      ...Object.fromEntries(Object.entries(gateway).map((one) => gatewayExample(status, ...one))),
    }),
    'x-problem-types': [
      ...(gatewayStatuses.has(status) ? ['about:blank'] : []),
      ...new Set([...own, ...ofFunctions]),
    ],
  };
}

/** Returns the name and the value. @param before the types of the earlier examples */
function problemExample(
  status: number,
  problem: ProblemType | ProblemExample,
  before: readonly ProblemType[],
) {
  const { type, ...own } =
    typeof problem === 'string' ? { type: problem, detail: detailOf(problem) } : problem;
  const count = before.filter((other) => other === type).length;
  const { title } = problemKind(type);
  const value = { type: problemUri(type, service), title, status, ...own, instance };
  return [`${camelCased(type, '-')}${count === 0 ? '' : count + 1}`, value] as const;
}

function gatewayExample(status: number, name: string, detail: string) {
  return [name, { type: 'about:blank', title: phrases[status], status, detail, instance }] as const;
}

const instance = '#JKJaXmPLvHcESHA=';

/** The details of the responses that API Gateway generates itself, by example name. */
export function gatewayDetailsOf(status: number, access: Access): Record<string, string> {
  const rows = rowsOf(status, access);
  // Several response types can have the same detail. One example is enough.
  const distinct = rows.filter(({ detail }, i) => rows.findIndex((row) => row.detail === detail) === i);
  return {
    ...Object.fromEntries(distinct.map(({ type, detail }) => [gatewayExampleName(type), detail])),
    ...(integrationFailures.includes(status) && {
      integrationFailure: 'The service failed. The request may have taken effect.',
    }),
  };
}

function rowsOf(status: number, access: Access): GatewayResponse[] {
  return rowsFor(access).filter((row) => row.status === status);
}

export const gatewayTooLarge =
  'If the body is larger than about 6 MB, API Gateway generates the 413 response itself. The body of that response is JSON with only a `message`, and the response has none of the header fields that this document describes.';

/** Why API Gateway refuses a request with 403, as clauses. */
export function refusalsOf(access: Access): string[] {
  return rowsOf(403, access).map(({ cause }, i) => `${cause} ${i === 0 ? 'the request' : 'it'}`);
}

/** Returns a sentence such as `One clause, another one, or a third one.` */
export function eitherOf(clauses: readonly string[]): string {
  const text = clauses
    .map((clause, i) => (i > 0 && i === clauses.length - 1 ? `or ${clause}` : clause))
    .join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

const commonDescriptions = (access: Access): Readonly<Record<number, string>> => ({
  400: 'If-Match or If-None-Match is malformed, or the request has an X-HTTP-Method-Override header.',
  401: 'The credentials are missing or wrong, or the request has several Authorization headers or an X-HTTP-Method-Override header.',
  403: eitherOf(refusalsOf(access)),
  413: `The request is too large. ${gatewayTooLarge}`,
  429: 'The service is receiving too many requests, or the request quota is exhausted.',
  500: 'The service failed. The request may have taken effect.',
  502: 'The service failed, or a service that it depends on refused the request. `detail` states whether the request may have taken effect.',
  503: 'The service, or a service that it depends on, is overloaded or unreachable.',
  504: 'The service did not respond in time. The request may have taken effect. Before you send it again, check whether it took effect.',
});

/** Some responses that API Gateway generates need an authorizer. */
function commonStatuses(access: Access): number[] {
  return Object.keys(commonDescriptions(access))
    .map(Number)
    .filter((status) => status in functionProblems || statusesOfGateway(access).has(status));
}

function commonResponse(status: number, access: Access): Response {
  const names = rowsOf(status, access).flatMap(({ headers = {} }) => Object.keys(headers));
  return responseOf(status, {
    description: commonDescriptions(access)[status] ?? '',
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    problems: functionProblems[status] ?? [],
    gateway: gatewayDetailsOf(status, access),
  });
}

/** Both kinds of access share the component, unless the authorizer can cause responses with this status. */
function componentName(status: number, access: Access): string {
  const differs = rowsOf(status, 'user').length > rowsOf(status, access).length;
  return `${differs ? 'Public' : ''}${(phrases[status] ?? '').replaceAll(' ', '')}`;
}

export function commonResponsesOf(access: Access): Record<string, Reference> {
  return Object.fromEntries(
    commonStatuses(access).map((status) => [
      status,
      { $ref: `#/components/responses/${componentName(status, access)}` },
    ]),
  );
}

/** The responses that operations share, by component name. */
export function responseComponents(): Record<string, Response> {
  const common = (['user', 'public'] as const).flatMap((access) =>
    commonStatuses(access).map((status) => [componentName(status, access), commonResponse(status, access)]),
  );
  return { ...Object.fromEntries(common), PreconditionFailed: responseOf(412, preconditionFailed) };
}

const preconditionFailed: ResponseDescription = {
  description: 'A precondition of the request is false, and the request had no effect.',
  problems: [
    'precondition-failed',
    {
      type: 'precondition-failed',
      detail: 'The ETag of the resource does not match If-Match. GET the resource without If-Match.',
    },
    {
      type: 'precondition-failed',
      detail:
        'The resource changed at Sat, 21 Nov 2026 07:01:00 GMT, after the date in If-Unmodified-Since. GET the resource without If-Unmodified-Since.',
    },
  ],
};
