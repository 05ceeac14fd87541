import { useRef, useState } from 'preact/hooks';
import type { Exchange } from '../shared/http/exchange.ts';
import type { Request } from '../shared/http/requests.ts';
import { send } from '../shared/session.ts';

/** An action of the user that sends a request. */
export interface Action {
  readonly isSending: boolean;
  /** The last exchange. It remains while the next request is in progress. */
  readonly exchange: Exchange | undefined;
  /**
   * Sends a request. Does nothing if an earlier request of this action is still in progress.
   *
   * @param sendWith replaces `send`, for requests with other credentials
   * @returns the exchange, or undefined if `run` did nothing
   */
  run(request: Request, sendWith?: (request: Request) => Promise<Exchange>): Promise<Exchange | undefined>;
}

/** Returns an action that has not sent a request yet. */
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
