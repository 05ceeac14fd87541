import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { problemOf } from '../../shared/http/exchange.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { useAction } from '../actions.ts';
import { deleteDog } from '../requests.ts';
import { go, route } from '../router.ts';
import { succeeded } from '../succeeded.ts';
import { Card } from '../ui/Card.tsx';
import { removeListedDog } from './dog-index.ts';

export function DeleteDog({ id }: { readonly id: string }) {
  const { exchange, isSending, run } = useAction();
  const request = deleteDog(id);
  const confirm = async () => {
    const result = await run(request);
    if (!result || !succeeded(result)) return;
    removeListedDog(id);
    const current = route.peek();
    // The user may have opened another view during the request.
    if (current.view === 'dog' && current.id === id)
      go('#', { title: `${id} was deleted`, exchange: result });
  };
  return (
    <Card
      title="Delete"
      beside={<ExchangePanel request={request} exchange={exchange} isSending={isSending} />}
    >
      <p>This deletes the dog, its barks and its schedule.</p>
      <details>
        <summary>Delete {id}</summary>
        <div class="row">
          <Button kind="danger" isBusy={isSending} onClick={confirm}>
            Yes, delete {id}
          </Button>
        </div>
      </details>
      {exchange && !succeeded(exchange) && <Alert kind="bad">{problemOf(exchange).detail}</Alert>}
    </Card>
  );
}
