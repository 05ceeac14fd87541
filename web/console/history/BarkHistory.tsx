import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Dog } from '../../../client/index.ts';
import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { problemOf, succeeded } from '../../shared/http/exchange.ts';
import { deviceTimeZone, timeZoneSentence } from '../../shared/time-zone.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { useNow } from '../../shared/ui/Time.tsx';
import { extentOf, keptInWords, lastInWords, nextInWords } from '../dogs/words.ts';
import { BarkChart } from './BarkChart.tsx';
import { BarkTable } from './BarkTable.tsx';
import { chartOf, type Span } from './chart-model.ts';
import { knownBarks } from './loaded-barks.ts';
import { type Send, useLoadedBarks } from './use-loaded-barks.ts';
import { chartInWords } from './words.ts';

interface BarkHistoryProps {
  /** The card needs a different `key` for each dog. */
  readonly dog: Dog;
  readonly send: Send;
  /** The card loads the newest barks again when this value changes. */
  readonly reloadKey: unknown;
}

export function BarkHistory({ dog, send, reloadKey }: BarkHistoryProps) {
  const { loaded, exchange, isWanted, loadMore } = useLoadedBarks(dog.id, send, reloadKey);
  const [zoom, setZoom] = useState<Span>();
  const [figure, width] = useWidth();
  const now = useNow();
  const timeZone = deviceTimeZone();
  const { previous = [], ...schedule }: Partial<NonNullable<Dog['barks']>> = dog.barks ?? {};
  const known = knownBarks(loaded ?? { barks: [] }, previous);
  const times = known.flatMap(({ timestamp }) => timestamp ?? []);
  const hasNext = loaded?.next !== undefined;
  const hasOlder = hasNext || times.length < dog.barkCount;
  const chart = chartOf({ times, schedule, zoom, now, timeZone, width });
  const hasChart = times.length > 0 || schedule.next !== undefined;
  const summary = [
    lastInWords(times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : undefined, now),
    hasChart && chartInWords(chart),
    nextInWords(schedule, now),
  ]
    .filter(Boolean)
    .join(' ');
  const kept = keptInWords(dog);
  const hasFailed = exchange !== undefined && !succeeded(exchange);
  const isLoading = hasNext && isWanted && !hasFailed;
  return (
    <Card title="History">
      <div class="bark-history" ref={figure}>
        <div class="row spread">
          <p class="extent">{extentOf(dog, times.length, hasOlder)}</p>
          {zoom && (
            <Button kind="small" onClick={() => setZoom(undefined)}>
              Zoom out
            </Button>
          )}
        </div>
        <figure>
          {hasChart && width > 0 && (
            <BarkChart chart={chart} width={width} summary={summary} now={now} onZoom={setZoom} />
          )}
          <figcaption>
            {summary} {hasChart && timeZoneSentence(now, timeZone)}
          </figcaption>
        </figure>
        {kept && (
          <Alert kind="info">
            {kept} To get a history, add the effect <code>record</code> in the settings.
          </Alert>
        )}
        {hasFailed && <Alert kind="bad">{problemOf(exchange).detail}</Alert>}
        {hasNext && (
          <div class="row">
            <Button isBusy={isLoading} onClick={loadMore}>
              {isLoading ? 'Loading older barks …' : 'Load older barks'}
            </Button>
          </div>
        )}
        {loaded && known.length > 0 && <BarkTable barks={known} now={now} />}
        {exchange && <ExchangePanel request={exchange.request} exchange={exchange} open={false} />}
      </div>
    </Card>
  );
}

/** The width is in pixels, and 0 at first. */
function useWidth() {
  const reference = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!reference.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(reference.current);
    return () => observer.disconnect();
  }, []);
  return [reference, width] as const;
}
