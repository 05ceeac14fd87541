import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Dog } from '../../../client/index.ts';
import { counted } from '../../shared/counted.ts';
import { problemOf } from '../../shared/http/exchange.ts';
import { deviceTimeZone, timeZoneSentence } from '../../shared/time-zone.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Segments } from '../../shared/ui/Segments.tsx';
import { useNow } from '../../shared/ui/Time.tsx';
import { BarkChart } from './BarkChart.tsx';
import { BarkTable } from './BarkTable.tsx';
import { type Chart, chartOf, type Range } from './chart-model.ts';
import { knownBarks } from './loaded-barks.ts';
import { pageSize, type Send, useLoadedBarks } from './use-loaded-barks.ts';
import { extentOf, summaryOf } from './words.ts';

const manyBarks = 1_000;

const ranges = ['hour', 'day', 'week', 'month', 'all'] as const;
const rangeLabels: Readonly<Record<Range, string>> = {
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: '30 days',
  all: 'All loaded',
};

interface BarkHistoryProps {
  /** The card must have another `key` for another dog. */
  readonly dog: Dog;
  readonly send: Send;
  /** The card loads the newest barks again if this value changes. */
  readonly reloadKey: unknown;
}

/** The barks of a dog as a chart and as a table. */
export function BarkHistory({ dog, send, reloadKey }: BarkHistoryProps) {
  const { loaded, failure, progress, loadOlder, stop } = useLoadedBarks(dog.id, send, reloadKey);
  const [range, setRange] = useState<Range>('all');
  const [figure, width] = useWidth();
  const now = useNow();
  const timeZone = deviceTimeZone();
  const { previous = [], ...schedule }: Partial<NonNullable<Dog['barks']>> = dog.barks ?? {};
  const known = knownBarks(loaded ?? { barks: [] }, previous);
  const times = known.flatMap(({ timestamp }) => timestamp ?? []);
  const hasNext = loaded?.next !== undefined;
  const hasOlder = hasNext || times.length < dog.barkCount;
  const chart = chartOf({ times, schedule, hasOlder, range, now, timeZone, width });
  const hasChart = times.length > 0 || schedule.next !== undefined;
  const summary = summaryOf(chart, times, schedule, now);
  return (
    <Card title="History">
      <div class="bark-history" ref={figure}>
        <div class="row spread">
          <p class="extent">{extentOf({ loaded: times.length, total: dog.barkCount, hasOlder })}</p>
          {hasChart && (
            <Segments
              legend="Range of the chart"
              values={ranges}
              labels={rangeLabels}
              chosen={range}
              onChange={setRange}
            />
          )}
        </div>
        <figure>
          {hasChart && <Legend chart={chart} />}
          {hasChart && width > 0 && (
            <BarkChart
              chart={chart}
              width={width}
              gapLabel={hasNext ? 'not loaded' : 'not known'}
              summary={summary}
              now={now}
            />
          )}
          <figcaption>
            {summary} <OutsideInWords chart={chart} />
            {hasChart && timeZoneSentence(now, timeZone)}
          </figcaption>
        </figure>
        {!dog.barkEffects.includes('record') && <RecordHint hasRecords={(loaded?.barks.length ?? 0) > 0} />}
        {failure && <Alert kind="bad">{problemOf(failure).detail}</Alert>}
        {loaded && known.length > 0 && <BarkTable barks={known} now={now} />}
        {hasNext && (
          <div class="row">
            {progress ? (
              <>
                <progress value={progress.done} max={progress.of} aria-label="Loading older barks" />
                <span role="status">
                  {progress.done.toLocaleString('en')} of {counted(progress.of, 'bark')}
                </span>
                <Button onClick={stop}>Stop</Button>
              </>
            ) : (
              <>
                <Button onClick={() => loadOlder(pageSize)}>Load older barks</Button>
                <Button onClick={() => loadOlder(manyBarks)}>
                  Load {manyBarks.toLocaleString('en')} more
                </Button>
              </>
            )}
          </div>
        )}
      </div>
    </Card>
  );
}

function Legend({ chart }: { readonly chart: Chart }) {
  return (
    <p class="legend" aria-hidden="true">
      <span class={chart.kind}>{chart.binName ? `Barks per ${chart.binName}` : 'Bark'}</span>
      {chart.upcoming.length > 0 && <span class="upcoming">Scheduled</span>}
      {chart.beyond && <span class="beyond">{chart.beyond.count} more scheduled →</span>}
    </p>
  );
}

/** States what the chart does not show. */
function OutsideInWords({ chart: { beyond, earlier } }: { readonly chart: Chart }) {
  return (
    <>
      {beyond && `The chart ends before ${counted(beyond.count, 'scheduled bark')}. `}
      {earlier > 0 && `The chart begins after ${counted(earlier, 'loaded bark')}. `}
    </>
  );
}

function RecordHint({ hasRecords }: { readonly hasRecords: boolean }) {
  return (
    <Alert kind="info">
      {hasRecords
        ? 'The service no longer records the barks of this dog. '
        : 'The service keeps only the times of the latest 100 barks of this dog. '}
      To get a history, add the effect <code>record</code> in the settings.
    </Alert>
  );
}

/** Returns a reference to an element and the width of the element in pixels. The width is 0 at first. */
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
