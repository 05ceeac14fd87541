import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { problemOf, succeeded } from '../../shared/http/exchange.ts';
import { deleteDog } from '../../shared/http/requests.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { useAction } from '../actions.ts';
import { FormAlert } from '../FormAlert.tsx';
import { notify } from '../notice.ts';
import { go, route } from '../router.ts';
import { dogs } from './dog-index.ts';

export function DeleteDog({ id }: { readonly id: string }) {
  const [isAsking, setAsking] = useState(false);
  const row = useRef<HTMLDivElement>(null);
  const hasAsked = useRef(false);
  const action = useAction();
  const request = deleteDog(id);
  const ask = (asks: boolean) => {
    hasAsked.current = true;
    setAsking(asks);
  };
  // The focused button disappears, so focus moves to the row's last button, which never deletes the dog at once.
  useLayoutEffect(() => {
    if (hasAsked.current) row.current?.querySelector<HTMLElement>('button:last-child')?.focus();
  }, [isAsking]);
  const confirm = async () => {
    const exchange = await action.run(request);
    if (!exchange || !succeeded(exchange)) return;
    dogs.remove(id);
    const current = route.peek();
    // The user may have opened another view during the request.
    if (current.view !== 'dog' || current.id !== id) return;
    notify(`${id} was deleted`, exchange);
    go('#');
  };
  const { exchange, isSending } = action;
  return (
    <Card
      title="Delete"
      beside={<ExchangePanel request={request} exchange={exchange} isSending={isSending} />}
    >
      <p>This deletes the dog, its barks and its schedule.</p>
      <div class="row" ref={row}>
        {isAsking ? (
          <>
            <Button kind="danger" isBusy={isSending} onClick={confirm}>
              Yes, delete {id}
            </Button>
            <Button onClick={() => ask(false)}>Keep it</Button>
          </>
        ) : (
          <Button kind="danger" onClick={() => ask(true)}>
            Delete …
          </Button>
        )}
      </div>
      <FormAlert reasons={exchange && !succeeded(exchange) ? [problemOf(exchange).detail] : []} />
    </Card>
  );
}
