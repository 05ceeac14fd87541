import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { median } from '../../tools/statistics.ts';
import type { Table } from '../../tools/table.ts';

const intervalMs = 500;

/** The minimum duration of a series of samples. Shorter series are not judged. */
const minDurationMs = 60_000;

/** The permitted ratio between the last and the second quarter. In the first quarter, the process warms up. */
const tolerance = 1.15;

/** The permitted growth. The database, for example, stores the token of each transaction for several minutes. */
const allowanceMegabytes = 10;

interface Sample {
  readonly at: number;
  /** Megabytes in use, or resident megabytes if the process does not report its heaps. */
  readonly megabytes: number;
  /** Open files and connections; undefined if the platform does not report them. */
  readonly open: number | undefined;
}

interface Series {
  readonly name: string;
  readonly samples: Sample[];
}

export class MemoryWatch {
  private readonly series: Series[] = [];
  private readonly timers: NodeJS.Timeout[] = [];

  /** Samples a process until it ends. @param heapsFile the file to which the process writes its heap sizes, if any */
  watch(name: string, pid: number, heapsFile?: string): void {
    const samples: Sample[] = [];
    this.series.push({ name, samples });
    const timer = setInterval(() => {
      const resident = residentOf(pid);
      if (resident === undefined) return clearInterval(timer);
      const megabytes = heapsFile === undefined ? resident : inUse(heapsFile);
      if (megabytes !== undefined) samples.push({ at: performance.now(), megabytes, open: openOf(pid) });
    }, intervalMs);
    this.timers.push(timer);
  }

  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
  }

  /** Returns the names of the processes whose memory or open files grow. */
  growing(): string[] {
    return this.series.filter((one) => verdictOf(one) === 'grows').map(({ name }) => name);
  }

  table(): Table {
    return {
      title:
        'Memory in use (minimum, in MB), and open files and connections (median), in quarters of the lifetime of each process',
      columns: [
        'process',
        'seconds',
        'MB, second quarter',
        'MB, last quarter',
        'open, second quarter',
        'open, last quarter',
        '',
      ],
      rows: this.series
        .filter((one) => one.samples.length > 0)
        .map((one) => {
          const { second, last } = quartersOf(one);
          return [
            one.name,
            Math.round(durationOf(one) / 1000),
            ...[second.megabytes, last.megabytes, second.open, last.open].map(Math.round),
            verdictOf(one),
          ];
        }),
      documented: () => false,
    };
  }
}

function verdictOf(series: Series): 'flat' | 'grows' | 'too short' {
  if (durationOf(series) < minDurationMs) return 'too short';
  const { second, last } = quartersOf(series);
  const most = Math.max(tolerance * second.megabytes, second.megabytes + allowanceMegabytes);
  return last.megabytes > most || last.open > tolerance * second.open ? 'grows' : 'flat';
}

function quartersOf({ samples }: Series) {
  const quarter = samples.length / 4;
  const between = (from: number, to: number) => {
    const chosen = samples.slice(Math.floor(from), Math.ceil(to));
    return {
      megabytes: Math.min(...chosen.map(({ megabytes }) => megabytes)),
      open: median(chosen.map(({ open = 0 }) => open)),
    };
  };
  return { second: between(quarter, 2 * quarter), last: between(3 * quarter, samples.length) };
}

function durationOf({ samples }: Series): number {
  return (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0);
}

/** Returns the megabytes in use of the heaps; undefined if the process has not reported them yet. */
function inUse(file: string): number | undefined {
  const bytes = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return bytes === '' ? undefined : Number(bytes) / 2 ** 20;
}

/** Returns the resident megabytes of a process; undefined if it has ended. */
function residentOf(pid: number): number | undefined {
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
