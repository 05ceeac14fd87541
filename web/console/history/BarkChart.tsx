import { counted } from '../../shared/counted.ts';
import { dateAndTime } from '../../shared/time.ts';
import { binsOf } from './bins.ts';

/** With fewer bars, each would be too wide. */
const minBars = 24;

/** Barks within one minute need no chart. @param times in Unix seconds */
export function BarkChart({ times }: { readonly times: readonly number[] }) {
  const bins = binsOf(times);
  if (bins.length < 2) return null;
  const peak = bins.reduce((a, b) => (b.count > a.count ? b : a));
  const summary = `The highest bar is ${counted(peak.count, 'bark')}, from ${dateAndTime(peak.from)}.`;
  return (
    <figure class="bark-chart">
      <svg
        viewBox={`0 0 ${Math.max(bins.length, minBars)} 1`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
      >
        {bins.map(({ from, count }, i) => (
          <rect key={from} x={i + 0.1} y={1 - count / peak.count} width={0.8} height={count / peak.count}>
            <title>{`${counted(count, 'bark')}, from ${dateAndTime(from)}`}</title>
          </rect>
        ))}
      </svg>
      <figcaption class="row spread">
        <span>{dateAndTime(bins[0]?.from ?? 0)}</span>
        <span>{summary}</span>
        <span>{bins.length >= minBars && dateAndTime(bins.at(-1)?.from ?? 0)}</span>
      </figcaption>
    </figure>
  );
}
