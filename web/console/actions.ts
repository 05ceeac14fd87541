import { useRef, useState } from 'preact/hooks';
import type { Exchange } from '../shared/http/exchange.ts';
import type { Request } from '../shared/http/requests.ts';
import { send } from '../shared/session.ts';

export interface Action {
  readonly isSending: boolean;
  /** The last exchange. Remains set during the next request. */
  readonly exchange: Exchange | undefined;
  /**
   * Does nothing while this action's previous request is still in progress.
   *
   * @param sendWith replaces `send`, for requests with other credentials or none
   * @returns the exchange, or undefined if `run` did nothing
   */
  run(request: Request, sendWith?: (request: Request) => Promise<Exchange>): Promise<Exchange | undefined>;
}

export function useAction(): Action {
  const inProgress = useRef(false);
  const [isSending, setSending] = useState(false);
  const [exchange, setExchange] = useState<Exchange>();
  const run: Action['run'] = async (request, sendWith = send) => {
    if (inProgress.current) return undefined;
    inProgress.current = true;
    setSending(true);
    try {
      const result = await sendWith(request);
      setExchange(result);
      return result;
    } finally {
      inProgress.current = false;
      setSending(false);
    }
  };
  return { isSending, exchange, run };
}
