import { useRef } from 'preact/hooks';
import type { Dog } from '../../../client/index.ts';
import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { deleteBark } from '../../shared/http/requests.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { RelativeTime } from '../../shared/ui/Time.tsx';
import { MailLinks } from '../dogs/MailLinks.tsx';
import { type BarkWatch, cancelBark, statusTexts } from './bark-watches.ts';

interface BarkProgressProps {
  readonly dog: Dog;
  readonly watch: BarkWatch;
}

export function BarkProgress({ dog, watch }: BarkProgressProps) {
  const { path, state, problem, cancellation, isCancelling = false } = watch;
  const { status, timestamp, reason } = state;
  const id = path.split('/').at(-1);
  const element = useRef<HTMLLIElement>(null);
  const cancel = async () => {
    await cancelBark(path);
    // If the button disappears, focus would otherwise return to the top of the page.
    element.current?.focus();
  };
  return (
    <li class={`bark-progress ${status}`} ref={element} tabIndex={-1}>
      <div class="row spread">
        <code>{id}</code>
        <span class={`badge ${status}`}>{status}</span>
      </div>
      <progress value={status === 'pending' ? undefined : 1} max={1} aria-label={`Bark ${id}`} />
      <div class="row spread">
        <p role="status">
          {problem ?? statusTexts[status]} {timestamp !== null && <RelativeTime at={timestamp} />} {reason}
          {status === 'complete' && <MailLinks dog={dog} />}
        </p>
        {status === 'pending' && (
          <Button kind="small" isBusy={isCancelling} onClick={cancel}>
            Cancel
          </Button>
        )}
      </div>
      {(status === 'pending' || cancellation) && (
        <ExchangePanel
          request={deleteBark(path)}
          exchange={cancellation}
          isSending={isCancelling}
          open={cancellation !== undefined}
        />
      )}
    </li>
  );
}
