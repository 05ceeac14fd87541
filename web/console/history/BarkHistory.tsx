import { useEffect, useRef, useState } from 'preact/hooks';
import type { BarkList, Dog } from '../../../client/index.ts';
import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { documentOf, type Exchange, problemOf } from '../../shared/http/exchange.ts';
import { get, pathOf } from '../../shared/http/requests.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { extentOf, keptInWords, nextInWords } from '../dogs/words.ts';
import { nextPathOf } from '../pagination.ts';
import { send } from '../send.ts';
import { succeeded } from '../succeeded.ts';
import { timeZoneSentence } from '../times.ts';
import { Card } from '../ui/Card.tsx';
import { useNow } from '../ui/Time.tsx';
import { BarkChart } from './BarkChart.tsx';
import { BarkTable } from './BarkTable.tsx';
import { knownBarks, type LoadedBarks, withNewest } from './known-barks.ts';

interface BarkHistoryProps {
  /** The card needs a different `key` for each dog. */
  readonly dog: Dog;
  /** The card loads the newest barks again when the dog's entity tag changes. */
  readonly tag: string | undefined;
}

export function BarkHistory({ dog, tag }: BarkHistoryProps) {
  const [loaded, setLoaded] = useState<LoadedBarks>();
  const [exchange, setExchange] = useState<Exchange>();
  const [isLoading, setLoading] = useState(false);
  const now = useNow();
  const latest = useRef(loaded);
  const keep = (barks: LoadedBarks) => {
    latest.current = barks;
    setLoaded(barks);
  };
  const read = async (path: string): Promise<LoadedBarks | undefined> => {
    const result = await send(get(path));
    setExchange(result);
    if (!succeeded(result)) return undefined;
    return { barks: documentOf<BarkList>(result).barks, next: nextPathOf(result) };
  };
  useEffect(() => {
    let isOutdated = false;
    void (async () => {
      const page = await read(`${pathOf(dog.id, 'barks')}?limit=100`);
      if (page && !isOutdated) keep(withNewest(latest.current, page));
    })();
    return () => {
      isOutdated = true;
    };
  }, [tag]);
  const loadOlder = async () => {
    setLoading(true);
    const page = await read(loaded?.next ?? '');
    // Meanwhile, the newest page may have replaced the older ones.
    const { barks = [], next } = latest.current ?? {};
    if (page && next === loaded?.next) keep({ barks: [...barks, ...page.barks], next: page.next });
    setLoading(false);
  };

  const { previous = [], ...schedule }: Partial<NonNullable<Dog['barks']>> = dog.barks ?? {};
  const known = knownBarks(loaded ?? { barks: [] }, previous);
  const times = known.flatMap(({ timestamp }) => timestamp ?? []);
  const kept = keptInWords(dog);
  return (
    <Card title="History">
      <p>
        <strong>{extentOf(dog, times.length, loaded?.next !== undefined)}</strong>.{' '}
        {nextInWords(schedule, now)} {timeZoneSentence()}
      </p>
      <BarkChart times={times} />
      {kept && (
        <Alert kind="info">
          {kept} To get a history, add the effect <code>record</code> in the settings.
        </Alert>
      )}
      {exchange && !succeeded(exchange) && <Alert kind="bad">{problemOf(exchange).detail}</Alert>}
      {known.length > 0 && <BarkTable barks={known} now={now} />}
      {loaded?.next !== undefined && (
        <div class="row">
          <Button isBusy={isLoading} onClick={loadOlder}>
            Load older barks
          </Button>
        </div>
      )}
      {exchange && <ExchangePanel request={exchange.request} exchange={exchange} open={false} />}
    </Card>
  );
}
