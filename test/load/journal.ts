import type { Table } from '../../tools/table.ts';

/** How a request ended for its client: 2xx and 3xx, 4xx, 5xx, or without an answer. */
export type Outcome = 'acknowledged' | 'refused' | 'failed' | 'unanswered';

const outcomes: readonly Outcome[] = ['acknowledged', 'refused', 'failed', 'unanswered'];

export function outcomeOf(status: number | undefined): Outcome {
  if (status === undefined) return 'unanswered';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'acknowledged';
}

/** A request that was made; times are those of `performance.now()`. */
interface Entry {
  readonly route: string;
  /** Absent where there was no answer. */
  readonly status: number | undefined;
  readonly begun: number;
  readonly ended: number;
}

/** A process that was killed, and how long what was asked for may have felt it. */
export interface Outage {
  readonly what: string;
  readonly from: number;
  /** When it answered again. */
  readonly back: number;
}

/** How long a service that answers again may still be busy with its start, in milliseconds. */
const aftermath = 3_000;

/** What was asked of a service, and how it answered. */
export class Journal {
  readonly entries: Entry[] = [];
  readonly outages: Outage[] = [];

  /** What failed though nothing was killed, or otherwise than by saying that it is not to be had now. */
  unhandled(): string[] {
    return this.entries.flatMap((entry) => {
      const { route, status } = entry;
      const isFailure = status === undefined || status >= 500;
      const isExcused = this.outageOf(entry) && (status === undefined || status === 503);
      return isFailure && !isExcused ? [`${route}: ${status ?? 'no answer'}`] : [];
    });
  }

  /** Requests a second, from the first to the last. */
  rate(): number {
    const begun = this.entries[0]?.begun ?? 0;
    return Math.round((1000 * this.entries.length) / ((this.entries.at(-1)?.ended ?? 0) - begun));
  }

  /** Requests and answer times of each route, while nothing was killed. */
  routes(): Table {
    const entries = this.entries.filter((entry) => !this.outageOf(entry));
    const names = [...new Set(entries.map(({ route }) => route))].sort();
    return {
      title: 'Requests and answer times in milliseconds, while nothing was killed',
      columns: ['', ...columns],
      rows: [
        ...names.map((name) => [name, ...figuresOf(entries.filter(({ route }) => route === name))]),
        ['all', ...figuresOf(entries)],
      ],
    };
  }

  /** The same while something was killed, and how long it was away. */
  kills(): Table {
    return {
      title: 'The same while a process was killed with kill -9, until three seconds after it answered again',
      columns: ['killed', 'back after', ...columns],
      rows: this.outages.map((outage) => [
        outage.what,
        Math.round(outage.back - outage.from),
        ...figuresOf(this.entries.filter((entry) => this.outageOf(entry) === outage)),
      ]),
    };
  }

  private outageOf({ begun, ended }: Entry): Outage | undefined {
    return this.outages.find(({ from, back }) => ended >= from && begun <= back + aftermath);
  }
}

const columns = ['made', ...outcomes, 'p50', 'p95', 'p99', 'max'];

function figuresOf(entries: readonly Entry[]): number[] {
  const times = entries.map(({ begun, ended }) => ended - begun).sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.ceil(share * times.length) - 1] ?? 0);
  const ended = (outcome: Outcome) => entries.filter(({ status }) => outcomeOf(status) === outcome).length;
  return [entries.length, ...outcomes.map(ended), at(0.5), at(0.95), at(0.99), at(1)];
}
