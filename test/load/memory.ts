import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { median } from '../../bench/statistics.ts';
import type { Table } from '../../bench/table.ts';

/** How often a process is looked at, in milliseconds. */
const interval = 500;

/** How long a process must be watched before its memory says anything, in milliseconds. */
const longEnough = 60_000;

/** How much more the last quarter may take than the second; the first is that of warming up. */
const tolerance = 1.15;

interface Sample {
  readonly at: number;
  readonly megabytes: number;
  /** Files and connections; absent where the machine does not tell. */
  readonly open: number | undefined;
}

interface Series {
  readonly name: string;
  readonly samples: Sample[];
}

/** Watches what processes take. */
export class MemoryWatch {
  private readonly series: Series[] = [];
  private readonly timers: NodeJS.Timeout[] = [];

  /** Watches a process until it ends. */
  watch(name: string, pid: number): void {
    const samples: Sample[] = [];
    this.series.push({ name, samples });
    const timer = setInterval(() => {
      const megabytes = megabytesOf(pid);
      if (megabytes === undefined) clearInterval(timer);
      else samples.push({ at: performance.now(), megabytes, open: openOf(pid) });
    }, interval);
    this.timers.push(timer);
  }

  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
  }

  /** The processes whose memory or whose connections grow. */
  growing(): string[] {
    return this.series.filter((one) => verdictOf(one) === 'grows').map(({ name }) => name);
  }

  table(): Table {
    return {
      title:
        'Memory in megabytes and what is open, as the median of a quarter of the time that a process lived',
      columns: ['process', 'seconds', 'MB, second quarter', 'MB, last', 'open, second', 'open, last', ''],
      rows: this.series
        .filter((one) => one.samples.length > 0)
        .map((one) => {
          const { second, last } = quartersOf(one);
          return [
            one.name,
            Math.round(lifeOf(one) / 1000),
            ...[second.megabytes, last.megabytes, second.open, last.open].map(Math.round),
            verdictOf(one),
          ];
        }),
    };
  }
}

function verdictOf(series: Series): 'flat' | 'grows' | 'too short to tell' {
  if (lifeOf(series) < longEnough) return 'too short to tell';
  const { second, last } = quartersOf(series);
  const grows = last.megabytes > tolerance * second.megabytes || last.open > tolerance * second.open;
  return grows ? 'grows' : 'flat';
}

function quartersOf({ samples }: Series) {
  const quarter = samples.length / 4;
  const medians = (from: number, to: number) => {
    const chosen = samples.slice(Math.floor(from), Math.ceil(to));
    return {
      megabytes: median(chosen.map(({ megabytes }) => megabytes)),
      open: median(chosen.map(({ open = 0 }) => open)),
    };
  };
  return { second: medians(quarter, 2 * quarter), last: medians(3 * quarter, samples.length) };
}

function lifeOf({ samples }: Series): number {
  return (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0);
}

/** What a process takes of memory; undefined if it has ended. */
function megabytesOf(pid: number): number | undefined {
  try {
    const kilobytes = existsSync('/proc/self/status')
      ? /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

function openOf(pid: number): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return undefined;
  }
}
