import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { median } from '../../tools/statistics.ts';
import type { Table } from '../../tools/table.ts';

/** How often a process is looked at, in milliseconds. */
const interval = 500;

/** How long a process must be watched before its memory says anything, in milliseconds. */
const longEnough = 60_000;

/** How much more the last quarter may take than the second; the first is that of warming up. */
const tolerance = 1.15;

/** How many megabytes more say nothing: the database remembers the token of each transaction for some minutes. */
const allowance = 10;

interface Sample {
  readonly at: number;
  /** In use, or resident where that is not told. */
  readonly megabytes: number;
  readonly resident: number;
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

  /** Watches a process until it ends. @param heapsFile where it tells what is in use, if it does */
  watch(name: string, pid: number, heapsFile?: string): void {
    const samples: Sample[] = [];
    this.series.push({ name, samples });
    const timer = setInterval(() => {
      const resident = residentOf(pid);
      if (resident === undefined) return clearInterval(timer);
      const megabytes = heapsFile === undefined ? resident : inUse(heapsFile);
      if (megabytes !== undefined)
        samples.push({ at: performance.now(), megabytes, resident, open: openOf(pid) });
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
        'Memory in megabytes, and what is open, by quarters of the time that a process lived: the least that was in use, and of what is open the median',
      columns: [
        'process',
        'seconds',
        'MB, second quarter',
        'MB, last',
        'open, second',
        'open, last',
        'resident, last',
        '',
      ],
      rows: this.series
        .filter((one) => one.samples.length > 0)
        .map((one) => {
          const { second, last } = quartersOf(one);
          return [
            one.name,
            Math.round(lifeOf(one) / 1000),
            ...[second.megabytes, last.megabytes, second.open, last.open, last.resident].map(Math.round),
            verdictOf(one),
          ];
        }),
    };
  }
}

function verdictOf(series: Series): 'flat' | 'grows' | 'too short to tell' {
  if (lifeOf(series) < longEnough) return 'too short to tell';
  const { second, last } = quartersOf(series);
  const most = Math.max(tolerance * second.megabytes, second.megabytes + allowance);
  return last.megabytes > most || last.open > tolerance * second.open ? 'grows' : 'flat';
}

function quartersOf({ samples }: Series) {
  const quarter = samples.length / 4;
  const between = (from: number, to: number) => {
    const chosen = samples.slice(Math.floor(from), Math.ceil(to));
    return {
      megabytes: Math.min(...chosen.map(({ megabytes }) => megabytes)),
      resident: median(chosen.map(({ resident }) => resident)),
      open: median(chosen.map(({ open = 0 }) => open)),
    };
  };
  return { second: between(quarter, 2 * quarter), last: between(3 * quarter, samples.length) };
}

function lifeOf({ samples }: Series): number {
  return (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0);
}

/** What is in use of the heaps of a process; undefined if it has not told yet. */
function inUse(file: string): number | undefined {
  const bytes = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return bytes === '' ? undefined : Number(bytes) / 2 ** 20;
}

/** What a process takes of the machine's memory; undefined if it has ended. */
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
