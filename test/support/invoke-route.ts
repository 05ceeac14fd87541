import { routes } from '../../lambdas/contract/routes.ts';
import { entryOf } from '../../tools/functions.ts';
import { type Handler, invoke } from './invoke.ts';

/** The handlers of the routes and of the fallback. */
export const handlers = new Map<string, Handler>();
for (const name of [...routes.map((route) => route.name), 'Fallback'])
  handlers.set(name, (await import(`../../lambdas/${entryOf(name)}`)).handler);

export type RouteChanges = NonNullable<Parameters<typeof invoke>[2]>;

/** Calls a route with its sample event, to which it applies changes. */
export function invokeRoute(name: string, changes: RouteChanges = {}): ReturnType<typeof invoke> {
  return invoke(handlers.get(name) as Handler, name, changes);
}
