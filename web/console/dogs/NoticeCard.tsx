import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { Alert } from '../../shared/ui/Alert.tsx';
import { useNotice } from '../notice.ts';

export function NoticeCard() {
  const notice = useNotice();
  if (!notice) return null;
  const { title, exchange } = notice;
  return (
    <section class="notice" aria-label={title}>
      <Alert kind="good">{title}.</Alert>
      <ExchangePanel request={exchange.request} exchange={exchange} open={false} />
    </section>
  );
}
