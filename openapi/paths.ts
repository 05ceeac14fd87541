import { type Route, type RouteName, routes } from '../lambdas/contract/routes.ts';
import { allow } from './headers.ts';
import { barkOperations } from './operations/barks.ts';
import { dogOperations } from './operations/dogs.ts';
import { mailOperations } from './operations/mail.ts';
import { pageOperations } from './operations/pages.ts';
import { scheduleOperations } from './operations/schedules.ts';
import { otherMethodsOfTokens, tokenOperations } from './operations/tokens.ts';
import { pathParameters } from './parameters.ts';
import { commonStatuses, notModified, problem, referenceTo } from './responses.ts';
import type { Operation, OperationDescription, PathItem, Reference, Responses } from './types.ts';

const descriptions: Record<RouteName, OperationDescription> = {
  ...dogOperations,
  ...barkOperations,
  ...scheduleOperations,
  ...mailOperations,
  ...tokenOperations,
  ...pageOperations,
};

const otherMethod = problem(
  405,
  'The path does not support this method.',
  { 'method-not-allowed': '/v1/dogs/rex/ does not support POST. Use DELETE, GET, HEAD, PATCH or PUT.' },
  { Allow: allow },
);

/** Returns the responses to a request whose path matches no route. */
export function otherPaths(): Responses {
  const notFound = problem(404, 'The path does not exist.', {
    'path-not-found': 'There is no resource at /v1/cats/.',
  });
  return { ...commonResponsesOf('user'), 404: notFound };
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
  const operation = operationOf(route);
  const others = { 'x-other-methods': { ...commonResponsesOf('user'), 405: otherMethod } };
  switch (route.method) {
    case 'GET':
      return { get: operation, ...others };
    case 'ANY':
      return {
        post: operation,
        'x-other-methods': { ...commonResponsesOf('public'), ...otherMethodsOfTokens },
      };
    default:
      return { [route.method.toLowerCase()]: operation, ...others };
  }
}

/** The token endpoint has no representation, so it ignores preconditions. PATCH itself describes its response to a false one. */
function conditionalResponsesOf({ method, name }: (typeof routes)[number]): Responses {
  if (method === 'ANY' || method === 'PATCH') return {};
  const failed = { 412: { $ref: '#/components/responses/PreconditionFailed' } };
  if (method !== 'GET') return failed;
  return { 304: notModified(descriptions[name].responses[200]?.headers), ...failed };
}

function operationOf(route: (typeof routes)[number]): Operation {
  const { name, summary, access } = route;
  const { responses, tag, ...operation } = descriptions[name];
  return {
    operationId: name,
    summary,
    tags: [tag],
    ...(access === 'public' && { security: [] as const }),
    ...operation,
    responses: { ...commonResponsesOf(access), ...conditionalResponsesOf(route), ...responses },
  };
}

function commonResponsesOf(access: Route['access']): Record<string, Reference> {
  return Object.fromEntries(commonStatuses(access).map((status) => [status, referenceTo(status, access)]));
}
