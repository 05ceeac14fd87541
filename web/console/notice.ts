import { signal } from '@preact/signals';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Exchange } from '../shared/http/exchange.ts';

/** The result of an action that led to another view. */
export interface Notice {
  readonly title: string;
  readonly exchange: Exchange;
}

/** The notice for the next view. */
export const notice = signal<Notice | undefined>();

/** Returns the notice for the view that calls this function. The next view does not receive it again. */
export function useNotice(): Notice | undefined {
  const [own] = useState(notice.peek());
  useLayoutEffect(() => {
    notice.value = undefined;
  }, []);
  return own;
}
