import { useEffect, useRef, useState } from 'preact/hooks';
import type { BarkList } from '../../../client/index.ts';
import { documentOf, type Exchange, headerOf, succeeded } from '../../shared/http/exchange.ts';
import { nextUrlOf } from '../../shared/http/pagination.ts';
import { get, pathOf, type Request } from '../../shared/http/requests.ts';
import { pathIn } from '../../shared/service.ts';
import { type LoadedBarks, withNewest, withOlder } from './loaded-barks.ts';

export type Send = (request: Request, options?: { isBackground?: boolean }) => Promise<Exchange>;

/** The largest page that the service allows. */
const pageSize = 100;
/** How many barks to load at first, and each time the user asks for more. */
const barksPerLoad = 1_000;

/**
 * Loads the newest page at first and when `reloadKey` changes. Then loads older pages until there are enough barks, except while
 * the tab is hidden.
 */
export function useLoadedBarks(dog: string, send: Send, reloadKey: unknown) {
  const [loaded, setLoaded] = useState<LoadedBarks>();
  const [exchange, setExchange] = useState<Exchange>();
  /** The number of barks at which loading stops. */
  const [target, setTarget] = useState(barksPerLoad);
  const latest = useRef<LoadedBarks>(undefined);
  const isLoading = useRef(false);
  const left = useRef(new AbortController()).current;
  const targetNow = useRef(target);
  targetNow.current = target;

  /** @returns the page, or undefined if the user has left the view or the request failed */
  async function read(path: string): Promise<LoadedBarks | undefined> {
    const result = await send(get(path), { isBackground: true });
    if (left.signal.aborted) return undefined;
    setExchange(result);
    return succeeded(result) ? pageIn(result) : undefined;
  }

  function keep(barks: LoadedBarks): void {
    latest.current = barks;
    setLoaded(barks);
  }

  async function loadOlder(): Promise<void> {
    if (isLoading.current) return;
    isLoading.current = true;
    for (let from = nextPage(); from; from = nextPage()) {
      await whileHidden();
      const { next = '' } = from;
      const page = await read(next);
      if (!page) break;
      // Meanwhile, the newest page may have replaced the older pages.
      if (latest.current?.next === next) keep(withOlder(latest.current, page));
    }
    isLoading.current = false;
  }

  function nextPage(): LoadedBarks | undefined {
    const { current } = latest;
    return current?.next !== undefined && current.barks.length < targetNow.current ? current : undefined;
  }

  useEffect(() => {
    let isOutdated = false;
    void (async () => {
      const page = await read(`${pathOf(dog, 'barks')}?limit=${pageSize}`);
      if (page && !isOutdated) keep(withNewest(latest.current, page));
    })();
    return () => {
      isOutdated = true;
    };
  }, [dog, send, reloadKey]);

  useEffect(() => void loadOlder(), [loaded, target]);
  useEffect(() => () => left.abort(), []);

  const count = loaded?.barks.length ?? 0;
  return {
    loaded,
    exchange,
    isWanted: count < target,
    loadMore: () => setTarget(count + barksPerLoad),
  };
}

async function whileHidden(): Promise<void> {
  while (document.hidden)
    await new Promise((done) => document.addEventListener('visibilitychange', done, { once: true }));
}

function pageIn(exchange: Exchange): LoadedBarks {
  const url = nextUrlOf(headerOf(exchange, 'link'));
  return {
    barks: documentOf<BarkList>(exchange).barks,
    next: url === undefined ? undefined : pathIn(url),
  };
}
