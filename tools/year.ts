import { historyEntryBytes, type MeasuredCase } from './calls.ts';
import { type Cost, costOf, find, prices, tableOf } from './cost.ts';
import type { Table } from './table.ts';

/** The number of barks in a year if a dog barks every ten minutes. */
const barksOfYear = 365 * 24 * 6;

/** The bytes that DynamoDB adds to each stored item. */
const itemOverhead = 100;

/** Returns the cost, in dollars, of storing a year's history entries for one month. */
function storageCostOf(kind: keyof typeof historyEntryBytes): number {
  const gigabytes = (barksOfYear * (historyEntryBytes[kind] + itemOverhead)) / 2 ** 30;
  return gigabytes * (prices.stored + prices.restorable);
}

/** Returns the costs of a dog's first year. On average, half of that year's history entries are stored. */
function yearOf(kind: keyof typeof historyEntryBytes, bark: MeasuredCase): Cost {
  const barks = Object.entries(costOf(bark)).map(([service, cost]) => [service, (cost * barksOfYear) / 1e6]);
  return { ...Object.fromEntries(barks), 'stored history': 6 * storageCostOf(kind) };
}

const years: Record<string, Cost> = {
  '`record`': yearOf('record', find('BarkOnSchedule', 'record')),
  'mail and `record`': yearOf('mail', find('BarkOnSchedule', 'mail and record')),
};

export async function measure(): Promise<readonly Table[]> {
  return [
    tableOf(`Cost of ${barksOfYear.toLocaleString('en')} scheduled barks in one year, in dollars`, years),
  ];
}
