import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSettings } from '../../lib/settings.ts';
import { breakEvenSeconds, costOf, countOf, find, prices, workflowCosts } from '../../tools/cost.ts';
import { measure as measureYear } from '../../tools/year.ts';

const textOf = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');

const costsPage = textOf('docs/costs.md');

const rowsOfCosts = costsPage
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** The text of the page on one line, because a sentence can span lines. */
const sentencesOfCosts = costsPage.replace(/\s+/g, ' ');

test('docs/costs.md states what an idempotency key and the limits of mails add', () => {
  const addedBy = (more: string, less: string) => {
    const [all, usual] = [more, less].map((name) => costOf(find('PostBarks', name)).DynamoDB ?? 0);
    return ((all ?? 0) - (usual ?? 0)).toFixed(2);
  };
  const [key, keyWithMail] = [
    addedBy('record, with a key', 'record'),
    addedBy('mail and record, with a key', 'mail and record'),
  ];
  expect(sentencesOfCosts).toContain(
    `an \`Idempotency-Key\` adds $${key}, or $${keyWithMail} to a synchronous bark with mail`,
  );
  const limits = addedBy('mail and record, limits of mails', 'mail and record');
  expect(sentencesOfCosts).toMatch(new RegExp(`mail limits.* add \\$${limits} to a bark with mail`));
});

test.each([
  [
    'POST barks, until the bark is complete, with one read',
    find('PostBarks', 'asynchronous, waits until complete'),
    find('PostBarks', 'asynchronous'),
  ],
  [
    'POST barks, still pending after 6 seconds, with three reads',
    find('PostBarks', 'asynchronous, waits 6 seconds in vain'),
    find('PostBarks', 'asynchronous'),
  ],
  [
    'GET of a pending bark, until complete, with one read',
    find('GetBark', 'pending, waits until complete'),
    find('GetBark', 'pending'),
  ],
])('docs/costs.md has the current additional cost of: %s', (name, waiting, without) => {
  const [more, usual] = [costOf(waiting), costOf(without)];
  const row = ['Lambda', 'DynamoDB'].map((service) =>
    ((more[service] ?? 0) - (usual[service] ?? 0)).toFixed(2),
  );
  expect(rowsOfCosts).toContainEqual(['', name, ...row, '']);
});

test('costOf returns the cost of a synchronous bark at the list prices, with the default settings', () => {
  expect(defaultSettings).toMatchObject({ tracing: true, tracedPercentage: 5, backgroundTracing: false });
  const cost = costOf(find('PostBarks', 'mail and record'));
  expect(cost).toEqual({
    'API Gateway': 3.5,
    Lambda: expect.closeTo(0.2 + 0.035 * 0.5 * 13.3334),
    'logs, traces': 0.5 + 0.05 * 5,
    DynamoDB: 0.125 + 4 * 0.625,
    'Step Functions': 0,
    Scheduler: 0,
    EventBridge: 0,
    SES: 100,
    'Secrets Manager': 0,
  });
});

test('costOf returns the cost of an Express execution for an asynchronous bark, with the default settings', () => {
  expect(defaultSettings).toMatchObject({ workflowType: 'EXPRESS', cancellationWindowSeconds: 5 });
  const gigabyteSeconds = 5.1 * 0.0625;
  expect(costOf(find('PostBarks', 'asynchronous'))['Step Functions']).toBeCloseTo(
    1 + 1e6 * gigabyteSeconds * 0.00001667,
  );
});

test('a Standard execution costs four transitions, as in the example of the price list', () => {
  expect(workflowCosts.STANDARD()).toBe(4 * 25);
});

test.each([0, 5, 15, 30])(
  'docs/costs.md has the current cost of an Express workflow with a window of %d seconds',
  (window) => {
    const row = new RegExp(`\\| ${window} seconds +\\| ${workflowCosts.EXPRESS(window).toFixed(2)} +\\|`);
    expect(costsPage).toMatch(row);
  },
);

test('docs/costs.md states the window above which a Standard workflow is cheaper', () => {
  const [low, high] = [2, 4].map((transitions) => Math.round(breakEvenSeconds(transitions)));
  expect(sentencesOfCosts).toContain(
    `at ${low} seconds with two transitions, and at ${high} seconds with four`,
  );
});

test('docs/costs.md states the cost of a firewall, with each million requests', () => {
  const { webAcl, rule, request } = prices.firewall;
  const [acl, each, million] = [webAcl, rule, request].map((price) => price.toFixed(2));
  expect(sentencesOfCosts).toContain(
    `$${acl} a month for the web ACL, $${each} a month for each rule, and $${million} for a million requests`,
  );
});

test('docs/costs.md states the cost of a dog that barks every ten minutes', async () => {
  const [{ rows } = { rows: [] }] = await measureYear();
  const [record, mail] = rows.map((row) => row.at(-1));
  expect(sentencesOfCosts).toContain(`costs $${record} a year, or $${mail} if each bark sends mail`);
});

test('docs/costs.md states the cost of traces, also if X-Ray traces all requests', () => {
  const { tracedPercentage } = defaultSettings;
  const usual = ((prices.trace * tracedPercentage) / 100).toFixed(2);
  expect(sentencesOfCosts).toContain(`$${usual} for X-Ray`);
  expect(sentencesOfCosts).toContain(
    `${tracedPercentage} % of the requests, instead of $${prices.trace.toFixed(2)} for all`,
  );
});

test('countOf adds the calls of an operation in all round trips', () => {
  const one = { calls: '2 GetItem → CreateSchedule → 50 DeleteItem + GetItem' };
  expect([countOf('GetItem', one), countOf('DeleteItem', one), countOf('Query', one)]).toEqual([3, 50, 0]);
});
