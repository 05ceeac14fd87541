import { type Route, type RouteName, routes } from '../lambdas/contract/routes.ts';
import { allow } from './headers.ts';
import { barkOperations } from './operations/barks.ts';
import { dogOperations } from './operations/dogs.ts';
import { mailOperations } from './operations/mail.ts';
import { pageOperations } from './operations/pages.ts';
import { scheduleOperations } from './operations/schedules.ts';
import { otherMethodsOfTokens, tokenOperations } from './operations/tokens.ts';
import { pathParameters } from './parameters.ts';
import { commonResponsesOf, responsesOf } from './responses.ts';
import type { Operation, OperationDescription, PathItem, ResponseDescription, Responses } from './types.ts';
import { waitingOperations } from './waiting/operations.ts'; // @extension waiting

const descriptions: Record<RouteName, OperationDescription> = {
  ...dogOperations,
  ...barkOperations,
  ...waitingOperations, // @extension waiting
  ...scheduleOperations,
  ...mailOperations,
  ...tokenOperations,
  ...pageOperations,
};

const otherMethod: ResponseDescription = {
  description: 'The path does not support this method.',
  headers: { Allow: allow },
  problems: ['method-not-allowed'],
};

/** Returns the responses to a request whose path matches no route. */
export function otherPaths(): Responses {
  const notFound: ResponseDescription = {
    description: 'The path does not exist.',
    problems: ['path-not-found'],
  };
  return { ...commonResponsesOf('user'), ...responsesOf({ 404: notFound }) };
}

export function paths(): Record<string, PathItem> {
  const items: Record<string, PathItem> = {};
  for (const route of routes)
    items[route.path] = { ...parametersOf(route), ...items[route.path], ...operationsOf(route) };
  return items;
}

function parametersOf({ path }: Route): Pick<PathItem, 'parameters'> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const parameters = names.flatMap((name) => pathParameters[name] ?? []);
  return parameters.length > 0 ? { parameters } : {};
}

/**
 * There is no HEAD operation, because `info.description` states the rule for HEAD. The only route with the method ANY is the
 * token endpoint, which supports only POST.
 */
function operationsOf(route: (typeof routes)[number]): PathItem {
  const isToken = route.method === 'ANY';
  return {
    [isToken ? 'post' : route.method.toLowerCase()]: operationOf(route),
    'x-other-methods': {
      ...commonResponsesOf(isToken ? 'public' : 'user'),
      ...responsesOf(isToken ? otherMethodsOfTokens : { 405: otherMethod }),
    },
  };
}

/** The token endpoint has no representation, so it ignores preconditions. PATCH itself describes its response to a false one. */
function conditionalResponsesOf({ method, name }: (typeof routes)[number]): Responses {
  if (method === 'ANY' || method === 'PATCH') return {};
  const failed = { 412: { $ref: '#/components/responses/PreconditionFailed' } };
  if (method !== 'GET') return failed;
  const { headers = {} } = descriptions[name].responses[200] ?? {};
  return { ...responsesOf({ 304: { ...notModified, headers } }), ...failed };
}

const notModified: ResponseDescription = {
  description:
    'The client already has the current representation. The header fields are those of the 200 response.',
};

function operationOf(route: (typeof routes)[number]): Operation {
  const { name, summary, access } = route;
  const { responses, tag, ...operation } = descriptions[name];
  return {
    operationId: name,
    summary,
    tags: [tag],
    ...(access === 'public' && { security: [] as const }),
    ...operation,
    responses: {
      ...commonResponsesOf(access),
      ...conditionalResponsesOf(route),
      ...responsesOf(responses),
    },
  };
}
