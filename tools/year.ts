import { type Asked, find, noteBytes } from './calls.ts';
import { type Cost, costOf, prices, tableOf } from './cost.ts';
import type { Table } from './table.ts';

/** One every ten minutes. */
const barksOfYear = 365 * 24 * 6;

/** What DynamoDB adds to each item that it stores, in bytes. */
const itemOverhead = 100;

/** What it costs a month to keep the notes of a year, in dollars. */
function keepingOf(kind: keyof typeof noteBytes): number {
  const gigabytes = (barksOfYear * (noteBytes[kind] + itemOverhead)) / 2 ** 30;
  return gigabytes * (prices.stored + prices.restorable);
}

/** A year of a dog whose notes grow from none, so that half of them are kept on average. */
function yearOf(kind: keyof typeof noteBytes, bark: Asked): Cost {
  const barks = Object.entries(costOf(bark)).map(([service, cost]) => [service, (cost * barksOfYear) / 1e6]);
  return { ...Object.fromEntries(barks), 'notes kept': 6 * keepingOf(kind) };
}

const years: Record<string, Cost> = {
  '`record`': yearOf('record', find('BarkOnSchedule', 'record')),
  'mail and `record`': yearOf('mail', find('BarkOnSchedule', 'mail and record')),
};

/** What it costs that a dog barks every ten minutes for a year. */
export async function measure(): Promise<readonly Table[]> {
  return [tableOf(`${barksOfYear.toLocaleString('en')} scheduled barks, in dollars for the year`, years)];
}
