import { pageRoutes } from './pages.ts';
import { segmentsOf } from './segments.ts';

/** An IAM action without the prefix `dynamodb:`. A transaction requires the action for each of its operations. */
type TableAction =
  | 'BatchGetItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'Scan'
  | 'UpdateItem';

/**
 * The stack derives a function's permissions and environment variables from its capabilities. Constructs can add
 * others.
 */
export interface Capabilities {
  readonly dogs?: readonly TableAction[];
  readonly barks?: readonly TableAction[];
  readonly access?: readonly TableAction[];
  /** The function can start executions of the bark workflow. */
  readonly workflow?: true;
  /** `set` permits creating, reading and deleting schedules; `delete` only deleting them. */
  readonly schedules?: 'set' | 'delete';
  readonly mail?: true;
  /** The function counts barks or emails against the limits. */
  readonly limits?: true;
  /** `sign` also permits verifying access tokens. */
  readonly tokens?: 'sign' | 'verify';
}

export interface Route {
  /** The name of the operation and of its function. */
  readonly name: string;
  /** GET includes HEAD. ANY matches every method, and its function rejects those that it does not support. */
  readonly method: 'ANY' | 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  /** In API Gateway's syntax. A trailing slash makes no difference. */
  readonly path: string;
  /** The path of the module that exports `handler`, relative to `lambdas/`. */
  readonly entry: string;
  /** A `user` route requires valid credentials, a `public` one none. */
  readonly access: 'public' | 'user';
  readonly capabilities: Capabilities;
  /** The part of the specification that the route implements; `extension` if the specification lacks the route. */
  readonly variant: 'A' | 'B' | 'C' | 'token' | 'extension';
  /** A verb and its object. */
  readonly summary: string;
}

export const routes = [
  {
    name: 'ListDogs',
    method: 'GET',
    path: '/v1/dogs',
    entry: 'api/dogs/list.ts',
    access: 'user',
    capabilities: { dogs: ['Scan'] },
    variant: 'extension',
    summary: 'List dogs',
  },
  {
    name: 'GetDog',
    method: 'GET',
    path: '/v1/dogs/{dog_id}',
    entry: 'api/dogs/get.ts',
    access: 'user',
    capabilities: { dogs: ['GetItem'], barks: ['Query'] },
    variant: 'A',
    summary: 'Get a dog',
  },
  {
    name: 'PutDog',
    method: 'PUT',
    path: '/v1/dogs/{dog_id}',
    entry: 'api/dogs/put.ts',
    access: 'user',
    capabilities: { dogs: ['GetItem', 'UpdateItem'] },
    variant: 'extension',
    summary: 'Create or replace a dog',
  },
  {
    name: 'PatchDog',
    method: 'PATCH',
    path: '/v1/dogs/{dog_id}',
    entry: 'api/dogs/patch.ts',
    access: 'user',
    capabilities: {
      dogs: ['BatchGetItem', 'ConditionCheckItem', 'UpdateItem'],
      barks: ['BatchGetItem', 'PutItem', 'UpdateItem'],
      schedules: 'set',
      mail: true,
      limits: true,
    },
    variant: 'B',
    summary: "Change a dog's schedule",
  },
  {
    name: 'DeleteDog',
    method: 'DELETE',
    path: '/v1/dogs/{dog_id}',
    entry: 'api/dogs/delete.ts',
    access: 'user',
    capabilities: { dogs: ['DeleteItem', 'GetItem'] },
    variant: 'extension',
    summary: 'Delete a dog',
  },
  {
    name: 'PostBarks',
    method: 'POST',
    path: '/v1/dogs/{dog_id}/barks',
    entry: 'api/dogs/barks/post.ts',
    access: 'user',
    capabilities: {
      dogs: ['GetItem', 'UpdateItem'],
      barks: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
      workflow: true,
      mail: true,
      limits: true,
    },
    variant: 'A',
    summary: 'Create a bark',
  },
  {
    name: 'ListBarks',
    method: 'GET',
    path: '/v1/dogs/{dog_id}/barks',
    entry: 'api/dogs/barks/list.ts',
    access: 'user',
    capabilities: { dogs: ['GetItem'], barks: ['Query'] },
    variant: 'extension',
    summary: 'List barks',
  },
  {
    name: 'GetBark',
    method: 'GET',
    path: '/v1/dogs/{dog_id}/barks/{bark_id}',
    entry: 'api/dogs/barks/get.ts',
    access: 'user',
    capabilities: { dogs: ['BatchGetItem'], barks: ['BatchGetItem'] },
    variant: 'A',
    summary: 'Get a bark',
  },
  {
    name: 'DeleteBark',
    method: 'DELETE',
    path: '/v1/dogs/{dog_id}/barks/{bark_id}',
    entry: 'api/dogs/barks/delete.ts',
    access: 'user',
    capabilities: { dogs: ['BatchGetItem'], barks: ['BatchGetItem', 'DeleteItem', 'UpdateItem'] },
    variant: 'A',
    summary: 'Cancel a bark',
  },
  {
    name: 'PostBarkSchedule',
    method: 'POST',
    path: '/v1/dogs/{dog_id}/bark-schedule',
    entry: 'api/dogs/bark-schedule/post.ts',
    access: 'user',
    capabilities: {
      dogs: ['BatchGetItem', 'UpdateItem'],
      barks: ['BatchGetItem', 'PutItem', 'UpdateItem'],
      schedules: 'set',
      mail: true,
      limits: true,
    },
    variant: 'C',
    summary: 'Set the bark schedule',
  },
  {
    name: 'GetBarkSchedule',
    method: 'GET',
    path: '/v1/dogs/{dog_id}/bark-schedule',
    entry: 'api/dogs/bark-schedule/get.ts',
    access: 'user',
    capabilities: { dogs: ['GetItem'] },
    variant: 'C',
    summary: 'Get the bark schedule',
  },
  {
    name: 'DeleteBarkSchedule',
    method: 'DELETE',
    path: '/v1/dogs/{dog_id}/bark-schedule',
    entry: 'api/dogs/bark-schedule/delete.ts',
    access: 'user',
    capabilities: { dogs: ['GetItem', 'UpdateItem'], schedules: 'delete' },
    variant: 'extension',
    summary: 'End the bark schedule',
  },
  {
    name: 'PostLastBark',
    method: 'POST',
    path: '/v1/dogs/{dog_id}/bark',
    entry: 'api/dogs/bark/post.ts',
    access: 'user',
    capabilities: {
      dogs: ['GetItem', 'UpdateItem'],
      barks: ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      workflow: true,
      mail: true,
      limits: true,
    },
    variant: 'C',
    summary: 'Make a dog bark',
  },
  {
    name: 'GetLastBark',
    method: 'GET',
    path: '/v1/dogs/{dog_id}/bark',
    entry: 'api/dogs/bark/get.ts',
    access: 'user',
    capabilities: { dogs: ['GetItem'], barks: ['Query'] },
    variant: 'C',
    summary: 'Get the last bark',
  },
  {
    name: 'DeleteLastBark',
    method: 'DELETE',
    path: '/v1/dogs/{dog_id}/bark',
    entry: 'api/dogs/bark/delete.ts',
    access: 'user',
    capabilities: { dogs: ['GetItem'], barks: ['Query'] },
    variant: 'C',
    summary: 'Delete the last bark',
  },
  {
    name: 'GetMailSubscription',
    method: 'GET',
    path: '/v1/dogs/{dog_id}/mail-subscription/{token}',
    entry: 'api/dogs/mail-subscription/get.ts',
    access: 'public',
    capabilities: { dogs: ['GetItem'] },
    variant: 'extension',
    summary: 'Get the unsubscribe page',
  },
  {
    name: 'PostMailSubscription',
    method: 'POST',
    path: '/v1/dogs/{dog_id}/mail-subscription/{token}',
    entry: 'api/dogs/mail-subscription/post.ts',
    access: 'public',
    capabilities: { dogs: ['GetItem', 'UpdateItem'] },
    variant: 'extension',
    summary: 'Unsubscribe from mail',
  },
  {
    name: 'IssueToken',
    method: 'ANY',
    path: '/oauth2/v4/token',
    entry: 'api/oauth2/token.ts',
    access: 'public',
    capabilities: { access: ['GetItem'], tokens: 'sign' },
    variant: 'token',
    summary: 'Get an access token',
  },
  {
    name: 'GetKeys',
    method: 'GET',
    path: '/.well-known/jwks.json',
    entry: 'api/well-known/jwks.ts',
    access: 'public',
    capabilities: { access: ['GetItem'] },
    variant: 'extension',
    summary: 'Get the public keys',
  },
  ...pageRoutes,
] as const satisfies readonly Route[];

export type RouteName = (typeof routes)[number]['name'];

/** For the `Allow` header: sorted, and empty if no route matches the path. An ANY route yields `ANY`. */
export function methodsOf(path: string): string[] {
  const segments = segmentsOf(path);
  const methods = routes
    .filter((route) => matches(segmentsOf(route.path), segments))
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return methods.sort();
}

function matches(pattern: string[], segments: string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, i) => (part.startsWith('{') ? segments[i] !== '' : part === segments[i]))
  );
}
