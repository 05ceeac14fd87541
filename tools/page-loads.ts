import { median, ratio } from './statistics.ts';
import type { Table } from './table.ts';

/** In milliseconds and bytes per second, as Chromium's developer tools expect. */
interface NetworkLimit {
  readonly latency: number;
  readonly downloadThroughput: number;
  readonly uploadThroughput: number;
}

export interface Profile {
  readonly name: string;
  /** Absent if the network is not limited. */
  readonly network?: NetworkLimit;
}

const bytesPerSecond = (megabits: number) => (megabits * 1e6) / 8;

export const profiles: readonly Profile[] = [
  { name: 'unthrottled' },
  {
    name: 'slow 4G of Lighthouse',
    network: {
      latency: 150,
      downloadThroughput: bytesPerSecond(1.6),
      uploadThroughput: bytesPerSecond(0.75),
    },
  },
  {
    name: 'slow 4G of DevTools',
    network: {
      latency: 562.5,
      downloadThroughput: bytesPerSecond(1.44),
      uploadThroughput: bytesPerSecond(0.675),
    },
  },
];

/** The page to which `timeTable` compares the others. */
export const emptyPage = 'empty page';

export interface Load {
  readonly page: string;
  readonly profile: string;
  readonly usableMs: number;
}

/** @throws Error if a profile has no load of the empty page */
export function timeTable(loads: readonly Load[]): Table {
  const pages = new Set(loads.map(({ page }) => page));
  const names = [...new Set(loads.map(({ profile }) => profile))];
  const timeOf = (page: string, profile: string) =>
    median(
      loads.filter((load) => load.page === page && load.profile === profile).map((load) => load.usableMs),
    );
  for (const name of names)
    if (Number.isNaN(timeOf(emptyPage, name))) throw new Error(`No load of the ${emptyPage}: ${name}.`);
  return {
    title: 'Time until a page is usable, in milliseconds',
    columns: ['', ...names.flatMap((name) => [name, `÷ ${emptyPage}`])],
    rows: [...pages].map((page) => [
      page,
      ...names.flatMap((name) => [
        Math.round(timeOf(page, name)),
        ratio(timeOf(page, name), timeOf(emptyPage, name)),
      ]),
    ]),
  };
}

export interface Weight {
  readonly page: string;
  readonly htmlBytes: number;
  /** The size of the HTML as the server sends it. Smaller than `htmlBytes` if the server compresses it. */
  readonly sentBytes: number;
  readonly requests: number;
}

export function weightTable(weights: readonly Weight[]): Table {
  const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);
  return {
    title: 'Weight of each page in kilobytes, and the requests until it is usable',
    columns: ['', 'HTML', 'as it is sent', 'requests'],
    rows: weights.map(({ page, htmlBytes, sentBytes, requests }) => [
      page,
      kilobytes(htmlBytes),
      kilobytes(sentBytes),
      requests,
    ]),
  };
}
