import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Chart, type Group, markRadius } from './chart-model.ts';
import { tooltipOf } from './words.ts';

/** The vertical layout of the chart, in pixels. */
const top = 26;
const heights = { marks: 64, bins: 132 } as const;
const labelSpace = 44;
/** The largest distance from the pointer to a group that the tooltip describes. */
const reach = 16;

interface Item extends Group {
  readonly kind: 'bins' | 'marks' | 'upcoming';
  /** The position of the upper edge. */
  readonly y: number;
}

interface BarkChartProps {
  readonly chart: Chart;
  readonly width: number;
  /** The label of the part of the axis before the oldest loaded bark. */
  readonly gapLabel: string;
  /** The chart in words. */
  readonly summary: string;
  /** Unix seconds. */
  readonly now: number;
}

/** A chart of past and upcoming barks. The pointer and the arrow keys show a tooltip for each mark or bin. */
export function BarkChart({ chart, width, gapLabel, summary, now }: BarkChartProps) {
  const base = top + heights[chart.kind];
  const items = itemsOf(chart, base);
  const [current, setCurrent] = useState(0);
  const [shown, setShown] = useState<number>();
  const svg = useRef<SVGSVGElement>(null);
  const active = shown === undefined ? undefined : items[shown];
  const focusable = Math.min(current, items.length - 1);

  // The Escape key hides the tooltip, even if the chart does not have the focus.
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
  const move = (event: TargetedKeyboardEvent<SVGSVGElement>) => {
    const target = targetOf(event.key, focusable, items.length);
    if (target === undefined) return;
    event.preventDefault();
    setCurrent(target);
    svg.current?.querySelectorAll<SVGGElement>('[role=img]')[target]?.focus();
  };

  const drawn = (item: Item, i: number) => (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: the focus shows the tooltip of the image.
    <g
      key={`${item.kind} ${item.from}`}
      role="img"
      tabIndex={i === focusable ? 0 : -1}
      aria-label={tooltipOf(item, item.kind, now).join(', ')}
      class={`${item.kind}${i === shown ? ' active' : ''}`}
      onFocus={() => {
        setCurrent(i);
        setShown(i);
      }}
      onBlur={() => setShown(undefined)}
    >
      {item.kind === 'bins' ? <Bin item={item} base={base} /> : <Mark item={item} base={base} />}
    </g>
  );

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
        aria-label={`${summary} The arrow keys move through the chart.`}
        width={width}
        height={base + labelSpace}
        onKeyDown={move}
      >
        <Axis chart={chart} base={base} gapLabel={gapLabel} />
        {items.slice(0, chart.groups.length).map(drawn)}
        <line class="now" x1={chart.now} x2={chart.now} y1={top - 6} y2={base} />
        <text class="here" x={chart.now} y={top - 11}>
          now
        </text>
        {items.slice(chart.groups.length).map((item, i) => drawn(item, chart.groups.length + i))}
      </svg>
      {active && <Tooltip item={active} width={width} now={now} />}
    </div>
  );
}

function itemsOf({ kind, groups, upcoming, highest }: Chart, base: number): Item[] {
  const markTop = top + 18;
  const heightOf = (count: number) => Math.max(3, ((base - top) * count) / highest);
  return [
    ...groups.map((group) => ({
      ...group,
      kind,
      y: kind === 'bins' ? base - heightOf(group.count) : markTop,
    })),
    ...upcoming.map((group) => ({
      ...group,
      kind: 'upcoming' as const,
      y: kind === 'bins' ? base - 22 : markTop,
    })),
  ];
}

interface AxisProps extends Pick<BarkChartProps, 'chart' | 'gapLabel'> {
  readonly base: number;
}

function Axis({ chart, base, gapLabel }: AxisProps) {
  const { axis, kind, highest, ticks, loadedFrom } = chart;
  const { left, right } = axis;
  return (
    <g>
      {loadedFrom !== undefined && (
        <g class="unloaded">
          <rect x={left} y={top} width={loadedFrom - left} height={base - top} />
          {loadedFrom - left > 84 && (
            <text x={(left + loadedFrom) / 2} y={(top + base) / 2 + 4}>
              {gapLabel}
            </text>
          )}
        </g>
      )}
      {kind === 'bins' &&
        gridOf(highest).map((count) => {
          const y = base - ((base - top) * count) / highest;
          return (
            <g key={count}>
              <line class="grid" x1={left} x2={right} y1={y} y2={y} />
              <text class="count" x={left - 6} y={y + 4}>
                {count.toLocaleString('en')}
              </text>
            </g>
          );
        })}
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

/** Returns the counts that have a line across the chart. */
function gridOf(highest: number): number[] {
  return highest >= 4 ? [Math.round(highest / 2), highest] : [highest];
}

function Bin({ item, base }: { readonly item: Item; readonly base: number }) {
  const { left, right, y } = item;
  return <rect x={left + 0.75} y={y} width={Math.max(1.5, right - left - 1.5)} height={base - y} rx={1.5} />;
}

function Mark({ item, base }: { readonly item: Item; readonly base: number }) {
  const { left, right, y, count } = item;
  const center = (left + right) / 2;
  return (
    <>
      <line x1={center} x2={center} y1={y + 2 * markRadius} y2={base} />
      <rect
        x={left - markRadius}
        y={y}
        width={right - left + 2 * markRadius}
        height={2 * markRadius}
        rx={markRadius}
      />
      {count > 1 && (
        <text class="number" x={center} y={y - 5}>
          {count.toLocaleString('en')}
        </text>
      )}
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
    <div class="tooltip" aria-hidden="true" style={{ left: `${center}px`, top: `${item.y - 8}px` }}>
      <strong>{what}</strong>
      {when.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  );
}

/** Returns the index of the item that is nearest to a position, if one is in reach. */
function nearest(items: readonly Item[], x: number): number | undefined {
  let best: number | undefined;
  let distance: number = reach;
  for (const [i, { left, right }] of items.entries()) {
    const away = Math.max(left - x, x - right, 0);
    if (away < distance) [best, distance] = [i, away];
  }
  return best;
}

/** Returns the index of the item to which a key moves the focus. Undefined if the key does not move the focus. */
function targetOf(key: string, current: number, count: number): number | undefined {
  if (count === 0) return;
  if (key === 'ArrowRight') return Math.min(current + 1, count - 1);
  if (key === 'ArrowLeft') return Math.max(current - 1, 0);
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return;
}
