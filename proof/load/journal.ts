import type { Table } from '../../tools/table.ts';

/** The outcome of a request as its client sees it: 2xx and 3xx, 4xx, 5xx, or no response. */
export type Outcome = 'acknowledged' | 'refused' | 'failed' | 'no response';

const outcomes: readonly Outcome[] = ['acknowledged', 'refused', 'failed', 'no response'];

export function outcomeOf(status: number | undefined): Outcome {
  if (status === undefined) return 'no response';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'acknowledged';
}

/** A request. Times are those of `performance.now()`. */
interface Entry {
  readonly route: string;
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  readonly begun: number;
  readonly ended: number;
}

/** The time during which the kill of a process may affect requests. */
export interface Outage {
  readonly what: string;
  readonly from: number;
  /** The time at which the process responded again. */
  readonly back: number;
}

/** How long the start of a process may affect requests after its first response. */
const recoveryMs = 3_000;

/** The requests to the service, with their outcomes, and its outages. */
export class Journal {
  readonly entries: Entry[] = [];
  readonly outages: Outage[] = [];

  /** Returns all failures outside of outages, and the failures during outages except those with status 503. */
  unhandled(): string[] {
    return this.entries.flatMap((entry) => {
      const { route, status } = entry;
      const isFailure = status === undefined || status >= 500;
      const isExcused = this.outageOf(entry) && (status === undefined || status === 503);
      return isFailure && !isExcused ? [`${route}: ${status ?? 'no response'}`] : [];
    });
  }

  rate(): number {
    const begun = this.entries[0]?.begun ?? 0;
    return Math.round((1000 * this.entries.length) / ((this.entries.at(-1)?.ended ?? 0) - begun));
  }

  /** Returns the requests and response times of each route outside of outages. */
  routes(): Table {
    const entries = this.entries.filter((entry) => !this.outageOf(entry));
    const names = [...new Set(entries.map(({ route }) => route))].sort();
    return {
      title: 'Requests outside outages, with response times in milliseconds',
      columns: ['', ...columns],
      rows: [
        ...names.map((name) => [name, ...figuresOf(entries.filter(({ route }) => route === name))]),
        ['all', ...figuresOf(entries)],
      ],
      documented: ([name]) => name === 'all',
    };
  }

  /** Returns the requests and response times during outages, and the duration of each outage. */
  kills(): Table {
    return {
      title:
        'Requests during outages, with times in milliseconds. An outage lasts from the kill -9 of a process until three seconds after the service responds again',
      columns: ['killed', 'downtime', ...columns],
      rows: this.outages.map((outage) => [
        outage.what,
        Math.round(outage.back - outage.from),
        ...figuresOf(this.entries.filter((entry) => this.outageOf(entry) === outage)),
      ]),
    };
  }

  private outageOf({ begun, ended }: Entry): Outage | undefined {
    return this.outages.find(({ from, back }) => ended >= from && begun <= back + recoveryMs);
  }
}

const columns = ['made', ...outcomes, 'p50', 'p95', 'p99', 'max'];

function figuresOf(entries: readonly Entry[]): number[] {
  const times = entries.map(({ begun, ended }) => ended - begun).sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.ceil(share * times.length) - 1] ?? 0);
  const ended = (outcome: Outcome) => entries.filter(({ status }) => outcomeOf(status) === outcome).length;
  return [entries.length, ...outcomes.map(ended), at(0.5), at(0.95), at(0.99), at(1)];
}
