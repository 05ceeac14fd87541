import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Dog } from '../../../client/index.ts';
import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { headerOf, problemOf } from '../../shared/http/exchange.ts';
import { get } from '../../shared/http/requests.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { useAction } from '../actions.ts';
import { MailLinks } from '../dogs/MailLinks.tsx';
import { readDog } from '../live/open-dog.ts';
import { repeat } from '../live/repeat.ts';
import { deleteBark } from '../requests.ts';
import { send } from '../send.ts';
import { succeeded } from '../succeeded.ts';
import { RelativeTime } from '../ui/Time.tsx';
import { type BarkState, stateOf, statusTexts } from './bark-outcome.ts';

/** The paths of the latest asynchronous barks that the user has requested from the open dog, newest first. */
export const watchedBarks = signal<readonly string[]>([]);

const maxWatched = 3;

export function watchBark(path: string): void {
  const others = watchedBarks.value.filter((one) => one !== path);
  watchedBarks.value = [path, ...others].slice(0, maxWatched);
}

/** The time between two reads of an asynchronous bark, unless Retry-After is longer. */
const pollIntervalMs = 1_000;

interface BarkProgressProps {
  readonly dog: Dog;
  readonly path: string;
}

/** Reads an asynchronous bark until it is no longer pending. */
export function BarkProgress({ dog, path }: BarkProgressProps) {
  const [{ status, timestamp, reason }, setState] = useState<BarkState>({
    status: 'pending',
    timestamp: null,
  });
  const [problem, setProblem] = useState<string>();
  const cancellation = useAction();
  const element = useRef<HTMLLIElement>(null);
  const id = path.split('/').at(-1);

  const read = async (): Promise<number | undefined> => {
    const exchange = await send(get(path));
    const { status: code = 503 } = exchange.response ?? {};
    const isTemporary = code >= 500 || code === 429;
    const state: BarkState = succeeded(exchange)
      ? stateOf(exchange)
      : { status: isTemporary ? 'pending' : 'unknown', timestamp: null };
    setState(state);
    setProblem(succeeded(exchange) ? undefined : problemOf(exchange).detail);
    if (state.status === 'pending')
      return Math.max(pollIntervalMs, 1000 * Number(headerOf(exchange, 'retry-after') ?? 0));
    void readDog();
    return undefined;
  };
  useEffect(() => repeat(read), []);

  const cancel = async () => {
    const exchange = await cancellation.run(deleteBark(path));
    if (!exchange) return;
    if (succeeded(exchange)) await read();
    else setProblem(problemOf(exchange).detail);
    // If the button disappears, focus would otherwise return to the top of the page.
    element.current?.focus();
  };
  return (
    <li class="well" ref={element} tabIndex={-1}>
      <div class="row spread">
        <code>{id}</code>
        <span class={`badge ${status}`}>{status}</span>
      </div>
      {status === 'pending' && <progress aria-label={`Bark ${id}`} />}
      <div class="row spread">
        <p role="status">
          {problem ?? statusTexts[status]} {timestamp !== null && <RelativeTime at={timestamp} />} {reason}
          {status === 'complete' && <MailLinks dog={dog} />}
        </p>
        {status === 'pending' && (
          <Button kind="small" isBusy={cancellation.isSending} onClick={cancel}>
            Cancel
          </Button>
        )}
      </div>
      {(status === 'pending' || cancellation.exchange) && (
        <ExchangePanel
          request={deleteBark(path)}
          exchange={cancellation.exchange}
          isSending={cancellation.isSending}
          open={cancellation.exchange !== undefined}
        />
      )}
    </li>
  );
}
