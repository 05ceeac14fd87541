import { type Asked, asked, countOf, find, transitionsOfBark, tripsOf } from './calls.ts';
import { added, costOf, dollars, tableOf, wholeOf } from './cost.ts';
import type { Table } from './table.ts';

/** What clients do with the service, and the cases of all functions that run for it. */
const deeds: Record<string, readonly Asked[]> = {
  'GET dog, 100 barks': [find('GetDog', '100 barks')],
  'PUT dog': [find('PutDog', 'replaced')],
  'a bark: `record` or `count`': [find('PostBarks', 'record')],
  'a bark: mail': [find('PostBarks', 'mail')],
  'a bark: mail and `record`': [find('PostBarks', 'mail and record')],
  'a bark, later: `record`': [find('PostBarks', 'later'), find('TakeEffect', 'record')],
  'a bark, later: mail and `record`': [
    find('PostBarks', 'later, with mail'),
    find('TakeEffect', 'mail and record'),
  ],
  'a schedule, from now on': [find('PatchDog', 'next now')],
  'a scheduled bark: `record`': [find('BarkOnSchedule', 'record')],
  'a scheduled bark: mail and `record`': [find('BarkOnSchedule', 'mail and record')],
  'DELETE dog that has barked once, by a schedule': [
    find('DeleteDog', 'with or without a schedule'),
    find('PurgeDog', 'a schedule and 2 items'),
  ],
  'an access token': [find('IssueToken', 'signing key known')],
};

function callsOf(one: Asked): (string | number)[] {
  return [
    one.function,
    one.case,
    one.answer,
    one.calls,
    tripsOf(one).length,
    one.reads,
    one.writes,
    countOf('StartExecution', one) * transitionsOfBark || '',
    countOf('CreateSchedule', one) + countOf('DeleteSchedule', one) || '',
    dollars(wholeOf(costOf(one))),
  ];
}

/** Returns the AWS calls of each function, and their costs. */
export async function measure(): Promise<readonly Table[]> {
  const columns = ['', 'case', 'answer', 'AWS calls', 'round trips', 'RRU', 'WRU'];
  return [
    tableOf(
      'A million of each, with all that runs for it, in dollars',
      Object.fromEntries(Object.entries(deeds).map(([name, parts]) => [name, added(parts.map(costOf))])),
    ),
    {
      title: 'Each function, and the dollars for a million of its case',
      columns: [...columns, 'transitions', 'scheduler calls', 'dollars'],
      rows: asked.map(callsOf),
    },
  ];
}
