import { type Route, type RouteName, routes } from '../lambdas/contract/routes.ts';
import { allow } from './headers.ts';
import { barkOperations } from './operations/barks.ts';
import { dogOperations } from './operations/dogs.ts';
import { pageOperations } from './operations/pages.ts';
import { scheduleOperations } from './operations/schedules.ts';
import { otherMethodsOfTokens, tokenOperations } from './operations/tokens.ts';
import { pathParameters } from './parameters.ts';
import { commonResponse, commonStatuses, problem } from './responses.ts';
import type { Described, Operation, PathItem, Reference, Response, Responses } from './types.ts';

const described: Record<RouteName, Described> = {
  ...dogOperations,
  ...barkOperations,
  ...scheduleOperations,
  ...tokenOperations,
  ...pageOperations,
};

const otherMethod = problem(
  405,
  'The path does not answer this method',
  { method: '/v1/dogs/rex/ does not answer POST; it answers DELETE, GET, HEAD, PATCH, PUT.' },
  { Allow: allow },
);

/** Returns the responses for paths that are not in the table of routes. */
export function otherPaths(): Responses {
  const nothing = problem(404, 'There is nothing at this path', { path: 'There is nothing at /v1/cats/.' });
  return { ...commonOf('user'), 404: nothing };
}

/** Returns the paths of the table of routes, with an operation for each method and the responses to other methods. */
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

/** Returns the operations of a route. A GET also has HEAD. The one route for any method has POST, and refuses the others. */
function operationsOf(route: (typeof routes)[number]): PathItem {
  const operation = operationOf(route);
  const others = { 'x-other-methods': { ...commonOf('user'), 405: otherMethod } };
  switch (route.method) {
    case 'GET':
      return { get: operation, head: headOf(operation), ...others };
    case 'ANY':
      return { post: operation, 'x-other-methods': { ...commonOf('public'), ...otherMethodsOfTokens } };
    default:
      return { [route.method.toLowerCase()]: operation, ...others };
  }
}

function operationOf({ name, summary, variant, access }: (typeof routes)[number]): Operation {
  const { responses, ...operation } = described[name];
  return {
    operationId: name,
    summary,
    tags: [variant],
    ...(access === 'public' && { security: [] as const }),
    ...operation,
    responses: { ...commonOf(access), ...responses },
  };
}

function commonOf(access: Route['access']): Record<string, Reference> {
  const statuses = commonStatuses.filter((status) => access === 'user' || status !== 401);
  return Object.fromEntries(statuses.map((status) => [status, commonResponse(status)]));
}

/** Returns a GET operation as HEAD, whose responses have no bodies. */
function headOf(operation: Operation): Operation {
  const responses = Object.entries(operation.responses).map(([status, response]) => [
    status,
    withoutContent(response),
  ]);
  return {
    ...operation,
    operationId: `${operation.operationId}Head`,
    summary: `${operation.summary}: the header fields alone`,
    responses: Object.fromEntries(responses),
  };
}

function withoutContent(response: Response | Reference): Response | Reference {
  if ('$ref' in response) return response;
  const { content: _, ...rest } = response;
  return rest;
}
