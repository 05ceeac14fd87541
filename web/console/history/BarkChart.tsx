import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { duration } from '../../shared/time.ts';
import type { Bar, Chart, Span } from './chart-model.ts';
import { tooltipOf } from './words.ts';

/** The vertical layout of the chart, in pixels. */
const top = 42;
const base = top + 116;
const labelSpace = 44;
/** How close to a bar the pointer must be to show its tooltip, in pixels. */
const reach = 16;

interface Item extends Bar {
  readonly kind: 'bark' | 'scheduled bark';
  /** The positions of the upper and lower edges. */
  readonly y: number;
  readonly bottom: number;
  readonly label: string;
}

interface BarkChartProps {
  readonly chart: Chart;
  readonly width: number;
  /** The chart in words. */
  readonly summary: string;
  /** Unix seconds. */
  readonly now: number;
  /** The chart calls this to show only a bar's time span. */
  readonly onZoom: (span: Span) => void;
}

/** The pointer and the arrow keys show a tooltip for each bar. A click or Enter zooms into a bar of known barks. */
export function BarkChart({ chart, width, summary, now, onZoom }: BarkChartProps) {
  const items = itemsOf(chart);
  const [current, setCurrent] = useState(0);
  const [shown, setShown] = useState<number>();
  const svg = useRef<SVGSVGElement>(null);
  const active = shown === undefined ? undefined : items[shown];
  const focusable = Math.min(current, items.length - 1);

  // The Escape key hides the tooltip even if the chart does not have focus.
  useEffect(() => {
    if (shown === undefined) return;
    const hide = ({ key }: KeyboardEvent) => key === 'Escape' && setShown(undefined);
    document.addEventListener('keydown', hide);
    return () => document.removeEventListener('keydown', hide);
  }, [shown]);

  const point = (event: TargetedPointerEvent<HTMLElement>) => {
    if (!(event.target instanceof SVGElement) || !svg.current) return;
    setShown(nearest(items, event.clientX - svg.current.getBoundingClientRect().left));
  };
  const isZooming = useRef(false);
  const zoom = ({ from, to, kind }: Item) => {
    if (kind !== 'bark' || from === to) return;
    isZooming.current = true;
    setShown(undefined);
    setCurrent(0);
    onZoom({ from, to: to + 1 });
  };
  // Zooming removes the focused bar, so focus moves to the first one.
  useLayoutEffect(() => {
    if (isZooming.current) svg.current?.querySelector<SVGGElement>('[role=img]')?.focus();
    isZooming.current = false;
  }, [chart.axis.from, chart.axis.to]);
  const onKeyDown = (event: TargetedKeyboardEvent<SVGSVGElement>) => {
    const focused = items[focusable];
    const target = targetOf(event.key, focusable, items.length);
    if (event.key === 'Enter' && focused) zoom(focused);
    if (target === undefined) return;
    event.preventDefault();
    setCurrent(target);
    svg.current?.querySelectorAll<SVGGElement>('[role=img]')[target]?.focus();
  };

  return (
    <div
      class="bark-chart"
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => setShown(undefined)}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: SVG has no other element for a group with a name. */}
      <svg
        ref={svg}
        role="group"
        aria-label={`${summary} The arrow keys move through the chart, and Enter zooms into a bar.`}
        width={width}
        height={base + labelSpace}
        onKeyDown={onKeyDown}
      >
        <Axis chart={chart} />
        {chart.now !== undefined && (
          <>
            <line class="now" x1={chart.now} x2={chart.now} y1={top - 22} y2={base} />
            <text class="here" x={chart.now} y={top - 28}>
              now
            </text>
          </>
        )}
        {items.map((item, i) => (
          // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: the focus shows the tooltip of the image.
          <g
            key={`${item.kind} ${item.left}`}
            role="img"
            tabIndex={i === focusable ? 0 : -1}
            aria-label={tooltipOf(item, item.kind, now).join(', ')}
            class={`${item.kind}${i === shown ? ' active' : ''}`}
            onClick={() => zoom(item)}
            onFocus={() => {
              setCurrent(i);
              setShown(i);
            }}
            onBlur={() => setShown(undefined)}
          >
            <BarShape item={item} />
          </g>
        ))}
      </svg>
      {active && <Tooltip item={active} width={width} now={now} />}
    </div>
  );
}

const { format: compact } = new Intl.NumberFormat('en', { notation: 'compact' });

function itemsOf({ bars, upcoming, highest }: Chart): Item[] {
  const yOf = (count: number) => base - ((base - top) * count) / Math.max(highest, 2);
  const place = (kind: Item['kind']) => (bar: Bar) => {
    const { below, count, left } = bar;
    const bottom = yOf(below);
    // If bars are stacked, the upper one's label shows both counts.
    const isCovered = kind === 'bark' && upcoming.some((one) => one.left === left);
    const label = isCovered ? '' : `${below > 0 ? `${compact(below)}+` : ''}${compact(count)}`;
    return { ...bar, kind, bottom, label, y: Math.min(yOf(below + count), bottom - 3) };
  };
  return [...bars.map(place('bark')), ...upcoming.map(place('scheduled bark'))];
}

function Axis({ chart: { axis, ticks, pauses } }: Pick<BarkChartProps, 'chart'>) {
  const { left, right } = axis;
  return (
    <g>
      {pauses.map(({ x, seconds }) => (
        <text key={x} x={x} y={base - 12}>
          ← {duration(seconds)} →
        </text>
      ))}
      <line class="axis" x1={left} x2={right} y1={base} y2={base} />
      {ticks.map(({ at, x, label, context }) => (
        <g key={at}>
          <line class="axis" x1={x} x2={x} y1={base} y2={base + 5} />
          <text x={x} y={base + 20}>
            {label}
          </text>
          {context && (
            <text class="context" x={x} y={base + 37}>
              {context}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

function BarShape({ item: { left, right, y, bottom, label } }: { readonly item: Item }) {
  return (
    <>
      <rect x={left + 1} y={y} width={Math.max(2, right - left - 2)} height={bottom - y} rx={2} />
      <text class="number" x={(left + right) / 2} y={y - 5}>
        {label}
      </text>
    </>
  );
}

interface TooltipProps {
  readonly item: Item;
  readonly width: number;
  readonly now: number;
}

function Tooltip({ item, width, now }: TooltipProps) {
  const [what, ...when] = tooltipOf(item, item.kind, now);
  const half = Math.min(120, width / 2);
  const center = Math.min(Math.max((item.left + item.right) / 2, half), width - half);
  return (
    <div class="tooltip" aria-hidden="true" style={{ left: `${center}px`, top: `${item.y - 20}px` }}>
      <strong>{what}</strong>
      {when.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  );
}

/** Returns the index of the nearest item within reach, if any. */
function nearest(items: readonly Item[], x: number): number | undefined {
  let best: number | undefined;
  let distance: number = reach;
  for (const [i, { left, right }] of items.entries()) {
    const away = Math.max(left - x, x - right, 0);
    if (away < distance) [best, distance] = [i, away];
  }
  return best;
}

/** Returns the index of the item to which a key moves focus, if any. */
function targetOf(key: string, current: number, count: number): number | undefined {
  if (count === 0) return;
  if (key === 'ArrowRight') return Math.min(current + 1, count - 1);
  if (key === 'ArrowLeft') return Math.max(current - 1, 0);
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return;
}
