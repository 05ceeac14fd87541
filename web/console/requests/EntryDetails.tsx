import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { dateAndTime, seconds } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { hasIdempotencyKey } from './draft.ts';
import type { HistoryEntry } from './history.ts';

interface EntryDetailsProps {
  readonly entry: HistoryEntry;
  readonly isSending: boolean;
  readonly onRepeat: () => void;
  readonly onEdit: () => void;
}

export function EntryDetails({ entry, isSending, onRepeat, onEdit }: EntryDetailsProps) {
  const { exchange, isRedacted } = entry;
  const { request, startedAt } = exchange;
  return (
    <Card title={`Sent on ${dateAndTime(seconds(startedAt))}`}>
      {isRedacted ? (
        <p class="hint">
          The history does not keep the bodies of this exchange, because they contain secrets.
        </p>
      ) : (
        <div class="row">
          <Button isBusy={isSending} onClick={onRepeat}>
            Send again
          </Button>
          <Button onClick={onEdit}>Edit and send</Button>
        </div>
      )}
      {hasIdempotencyKey(request) && (
        <p class="hint">
          If you send this request again, the service returns the first response, because the Idempotency-Key
          is the same.
        </p>
      )}
      <ExchangePanel key={entry.id} request={request} exchange={exchange} isSending={isSending} />
    </Card>
  );
}
