import { useRef, useState } from 'preact/hooks';
import type { Exchange } from '../shared/http/exchange.ts';
import type { Request } from '../shared/http/requests.ts';
import { send } from './send.ts';

export interface Action {
  readonly isSending: boolean;
  /** The last exchange. Remains set during the next request. */
  readonly exchange: Exchange | undefined;
  /** Does nothing, and returns undefined, while this action's previous request is still in progress. */
  run(request: Request): Promise<Exchange | undefined>;
}

export function useAction(): Action {
  const inProgress = useRef(false);
  const [isSending, setSending] = useState(false);
  const [exchange, setExchange] = useState<Exchange>();
  const run = async (request: Request) => {
    if (inProgress.current) return undefined;
    inProgress.current = true;
    setSending(true);
    const result = await send(request);
    setExchange(result);
    inProgress.current = false;
    setSending(false);
    return result;
  };
  return { isSending, exchange, run };
}
