import { counted } from '../../shared/counted.ts';
import { dateAndTime, duration, relativeTime } from '../../shared/time.ts';
import type { Bar, Chart } from './chart-model.ts';

export function chartInWords({ bars, binName, upcoming, beyond, outside }: Chart): string {
  const [peak] = bars.filter(({ count }) => count > 1).sort((a, b) => b.count - a.count);
  return [
    `One bar per ${binName}.`,
    upcoming.length > 0 && 'Dashed bars are scheduled barks.',
    peak && `The peak is ${counted(peak.count, 'bark')}${spanInWords(peak)}.`,
    beyond > 0 && 'More scheduled barks follow.',
    outside > 0 && `Outside the chart: ${counted(outside, 'known bark')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function spanInWords({ from, to }: Bar): string {
  if (from === to) return ` in the same second, ${dateAndTime(from)}`;
  return ` within ${duration(to - from)}, from ${dateAndTime(from)}`;
}

/** Returns the lines of a bar's tooltip. @param now Unix seconds */
export function tooltipOf({ from, to, count }: Bar, kind: 'bark' | 'scheduled bark', now: number): string[] {
  const what = counted(count, kind);
  if (from !== to) return [what, `${dateAndTime(from)} to`, dateAndTime(to)];
  return [count > 1 ? `${what} in the same second` : what, dateAndTime(from), relativeTime(from, now)];
}
