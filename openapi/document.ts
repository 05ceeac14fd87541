import { type Route, type RouteName, routes } from '../lambdas/routes.ts';
import { allow, headers } from './headers.ts';
import { barkOperations } from './operations/barks.ts';
import { dogOperations } from './operations/dogs.ts';
import { pageOperations } from './operations/pages.ts';
import { scheduleOperations } from './operations/schedules.ts';
import { otherMethodsOfTokens, tokenOperations } from './operations/tokens.ts';
import { pathParameters } from './parameters.ts';
import { commonResponse, commonResponses, commonStatuses, problem } from './responses.ts';
import { schemas } from './schemas.ts';
import type { Described, Document, Operation, PathItem, Reference, Response } from './types.ts';

const described: Record<RouteName, Described> = {
  ...dogOperations,
  ...barkOperations,
  ...scheduleOperations,
  ...tokenOperations,
  ...pageOperations,
};

const tags: Readonly<Record<Route['variant'], string>> = {
  A: 'The factory sub-resource `barks`: each POST makes a bark, which may be a resource of its own',
  B: 'A bark schedule by a partial update of the dog',
  C: 'The sub-resources `bark-schedule` and `bark`',
  token: 'The exchange of a refresh token for an access token',
  extension:
    'What the three variants leave open: the list, creation and deletion of dogs, and how to find one’s way',
};

const introduction = `A dog barks because of a resource, never because of a verb. What a bark does is the dog's own state.

Times are Unix seconds. A path with and without a slash at its end is one resource. Where there is a GET there is a HEAD.
Query parameters that are not named here are ignored. What no path answers is 404 to who may call at all, and a method that a path does not
answer is 405 with \`Allow\`. Every error is a problem (RFC 9457), but for those of the token endpoint (RFC 6749).`;

const unknownMethod = problem(400, 'API Gateway does not know the method', {
  method: 'The service does not know this method.',
});

const otherMethod = problem(
  405,
  'The path does not answer this method',
  { method: '/v1/dogs/rex/ does not answer POST; it answers DELETE, GET, HEAD, PATCH, PUT.' },
  { Allow: allow },
);

const otherPath = problem(404, 'There is nothing at this path', { path: 'There is nothing at /v1/cats/.' });

/** The interface as OpenAPI 3.1 has it. */
export function openApiDocument(): Document {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Dog service',
      version: '0.1.0',
      summary: 'Makes dogs bark, in three variants of REST',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative to the address of the document, which lies at the root of the service, whatever the stage is.
    servers: [{ url: '.', description: 'The service that shows this document' }],
    security: [{ basic: [] }, { bearer: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: paths(),
    'x-other-paths': { ...commonOf('user'), 400: unknownMethod, 404: otherPath },
    components: {
      schemas: schemas(),
      headers,
      responses: commonResponses(),
      securitySchemes: {
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'The name and the password of a user (RFC 7617)',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An access token of the token endpoint (RFC 6750)',
        },
      },
    },
  };
}

function paths(): Record<string, PathItem> {
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

/** A GET answers HEAD too; the one route of any method is POST, and refuses all others. */
function operationsOf(route: (typeof routes)[number]): PathItem {
  const operation = operationOf(route);
  const others = { 'x-other-methods': { ...commonOf('user'), 400: unknownMethod, 405: otherMethod } };
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

/** The same, without a body. */
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
