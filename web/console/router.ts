import { signal } from '@preact/signals';
import { type Route, routeOf } from './routes.ts';

export const route = signal<Route>({ view: 'home' });

/** Keeps `route` up to date. */
export function followAddress(): void {
  const update = () => {
    route.value = routeOf(location.hash);
  };
  addEventListener('hashchange', update);
  update();
}

export function go(address: string): void {
  location.hash = address;
}
