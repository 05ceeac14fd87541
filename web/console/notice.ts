import { signal } from '@preact/signals';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Exchange } from '../shared/http/exchange.ts';
import { changeCount } from './requests/history.ts';

interface Notice {
  readonly title: string;
  readonly exchange: Exchange;
  /** The `changeCount` after which the notice is outdated. */
  readonly until: number;
}

const next = signal<Notice | undefined>();

/**
 * Shows a result in the next view until the user sends a request other than GET.
 *
 * @param changes how many such requests the result outlasts
 */
export function notify(title: string, exchange: Exchange, changes = 0): void {
  next.value = { title, exchange, until: changeCount.peek() + changes };
}

/** Returns the notice only to the first view that calls this function. */
export function useNotice(): Notice | undefined {
  const [own] = useState(next.peek());
  useLayoutEffect(() => {
    next.value = undefined;
  }, []);
  return own && changeCount.value <= own.until ? own : undefined;
}
