import { ExchangePanel } from '../shared/http/ExchangePanel.tsx';
import { Alert } from '../shared/ui/Alert.tsx';
import { notice } from './router.ts';

export function NoticeCard() {
  if (!notice.value) return null;
  const { title, exchange } = notice.value;
  return (
    <section class="notice" aria-label={title}>
      <Alert kind="good">{title}.</Alert>
      <ExchangePanel request={exchange.request} exchange={exchange} open={false} />
    </section>
  );
}
