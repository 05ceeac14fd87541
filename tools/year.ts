import { type Asked, find, noteBytes } from './calls.ts';
import { type Cost, costOf, prices, tableOf } from './cost.ts';
import type { Table } from './table.ts';

/** The number of barks in a year, with one every ten minutes. */
const barksOfYear = 365 * 24 * 6;

/** The overhead of a stored item at DynamoDB, in bytes. */
const itemOverhead = 100;

/** Returns the cost of storing the history entries of a year, in dollars a month. */
function keepingOf(kind: keyof typeof noteBytes): number {
  const gigabytes = (barksOfYear * (noteBytes[kind] + itemOverhead)) / 2 ** 30;
  return gigabytes * (prices.stored + prices.restorable);
}

/** Returns the cost of a year of a dog without earlier history. On average, half of the history entries of the year are stored. */
function yearOf(kind: keyof typeof noteBytes, bark: Asked): Cost {
  const barks = Object.entries(costOf(bark)).map(([service, cost]) => [service, (cost * barksOfYear) / 1e6]);
  return { ...Object.fromEntries(barks), 'notes kept': 6 * keepingOf(kind) };
}

const years: Record<string, Cost> = {
  '`record`': yearOf('record', find('BarkOnSchedule', 'record')),
  'mail and `record`': yearOf('mail', find('BarkOnSchedule', 'mail and record')),
};

/** Returns the cost of a dog that barks every ten minutes for a year. */
export async function measure(): Promise<readonly Table[]> {
  return [tableOf(`${barksOfYear.toLocaleString('en')} scheduled barks, in dollars for the year`, years)];
}
