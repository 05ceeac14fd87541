import { type MeasuredCase, measuredCases } from '../../tools/calls.ts';
import { type Cost, costOf, find, tableOf } from '../../tools/cost.ts';
import type { Table } from '../../tools/table.ts';

/** Each action with all functions that run for it. */
const actions: Record<string, readonly MeasuredCase[]> = {
  'GET dog, 100 barks': [find('GetDog', '100 barks')],
  'a bark: `record` or `count`': [find('PostBarks', 'record')],
  'a bark: mail and `record`': [find('PostBarks', 'mail and record')],
  'an asynchronous bark: `record`': [find('PostBarks', 'asynchronous'), find('PerformBark', 'record')],
  'a schedule that starts now': [find('PatchDog', 'next now')],
  'a scheduled bark: `record`': [find('BarkOnSchedule', 'record')],
  'the event of a bark: `record`': [
    find('PublishEvents', 'a bark'),
    find('PublishEvents', 'a dog that barked'),
  ],
  'DELETE dog with a schedule and one bark': [
    find('DeleteDog', 'with or without a schedule'),
    find('PurgeDog', 'a schedule and 2 items'),
  ],
};

const documented = [
  find('GetDog', '100 barks'),
  find('PostBarks', 'record'),
  find('PostBarks', 'mail and record'),
  find('PostBarks', 'asynchronous'),
  find('PerformBark', 'record'),
  find('PatchDog', 'next now'),
  find('BarkOnSchedule', 'record'),
  find('IssueToken', 'signing key known'),
];

function callsOf(one: MeasuredCase): (string | number)[] {
  return [one.function, one.case, one.calls, one.reads, one.writes];
}

/** The costs must cover the same services. */
function added([first = {}, ...others]: readonly Cost[]): Cost {
  const sumOf = (service: string) =>
    others.reduce((sum, cost) => sum + (cost[service] ?? 0), first[service] ?? 0);
  return Object.fromEntries(Object.keys(first).map((service) => [service, sumOf(service)]));
}

export async function measure(): Promise<readonly Table[]> {
  return [
    tableOf(
      'Cost of a million of each action in dollars, including the background functions that the action triggers',
      Object.fromEntries(Object.entries(actions).map(([name, parts]) => [name, added(parts.map(costOf))])),
    ),
    {
      title: 'AWS calls of each function in each case',
      columns: ['', 'case', 'AWS calls', 'RRU', 'WRU'],
      rows: measuredCases.map(callsOf),
      documented: (row) => documented.some((one) => one.function === row[0] && one.case === row[1]),
    },
  ];
}
