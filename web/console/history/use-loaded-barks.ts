import { useEffect, useRef, useState } from 'preact/hooks';
import type { BarkList } from '../../../client/index.ts';
import { documentOf, type Exchange, headerOf, succeeded } from '../../shared/http/exchange.ts';
import { nextUrlOf } from '../../shared/http/pagination.ts';
import { get, pathOf, type Request } from '../../shared/http/requests.ts';
import { pathIn } from '../../shared/service.ts';
import { type LoadedBarks, withNewest, withOlder } from './loaded-barks.ts';

export type Send = (request: Request, options?: { isBackground?: boolean }) => Promise<Exchange>;

/** The size of a page. The service allows no larger one. */
export const pageSize = 100;

interface State {
  readonly loaded?: LoadedBarks;
  /** The last exchange, if it failed. */
  readonly failure?: Exchange;
}

interface Progress {
  readonly done: number;
  readonly of: number;
}

/**
 * Returns the recorded barks of a dog and the functions that load more of them. Loads the newest page again if `reloadKey`
 * changes. The older pages remain.
 */
export function useLoadedBarks(dog: string, send: Send, reloadKey: unknown) {
  const [{ loaded, failure }, setState] = useState<State>({});
  const [progress, setProgress] = useState<Progress>();
  /** Aborts the loading of older barks. */
  const loading = useRef<AbortController>(undefined);

  useEffect(() => {
    const ended = new AbortController();
    void (async () => {
      const exchange = await send(get(`${pathOf(dog, 'barks')}?limit=${pageSize}`), { isBackground: true });
      if (ended.signal.aborted) return;
      setState((state) =>
        succeeded(exchange)
          ? { loaded: withNewest(state.loaded, pageIn(exchange)) }
          : { ...state, failure: exchange },
      );
    })();
    return () => ended.abort();
  }, [dog, send, reloadKey]);

  useEffect(() => () => loading.current?.abort(), []);

  /** Loads older barks, page by page. @param count the number of barks to load */
  async function loadOlder(count: number): Promise<void> {
    if (progress || !loaded) return;
    const controller = new AbortController();
    loading.current = controller;
    let { next } = loaded;
    let done = 0;
    while (next !== undefined && done < count && !controller.signal.aborted) {
      setProgress({ done, of: count });
      const exchange = await send(get(next));
      if (controller.signal.aborted) break;
      if (!succeeded(exchange)) {
        setState((state) => ({ ...state, failure: exchange }));
        break;
      }
      const page = pageIn(exchange);
      setState((state) => ({ loaded: state.loaded ? withOlder(state.loaded, page) : page }));
      done += page.barks.length;
      next = page.next;
    }
    setProgress(undefined);
  }

  return { loaded, failure, progress, loadOlder, stop: () => loading.current?.abort() };
}

function pageIn(exchange: Exchange): LoadedBarks {
  const url = nextUrlOf(headerOf(exchange, 'link'));
  return {
    barks: documentOf<BarkList>(exchange).barks,
    next: url === undefined ? undefined : pathIn(url),
  };
}
