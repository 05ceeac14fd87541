import { signal } from '@preact/signals';
import type { Exchange } from '../shared/http/exchange.ts';
import { type Route, routeOf } from './routes.ts';

export const route = signal<Route>({ view: 'home' });

/** The result of an action in the last view, until the user opens another view. */
export const notice = signal<Notice | undefined>();

interface Notice {
  readonly title: string;
  readonly exchange: Exchange;
}

let next: Notice | undefined;

/** Keeps `route` and `notice` up to date. */
export function followAddress(): void {
  const update = () => {
    route.value = routeOf(location.hash);
    notice.value = next;
    next = undefined;
  };
  addEventListener('hashchange', update);
  update();
}

/** @param shown a result that the opened view shows */
export function go(address: string, shown?: Notice): void {
  next = shown;
  location.hash = address;
}
