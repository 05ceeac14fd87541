import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentation } from '../../tools/table.ts';
import { measure as measureYear } from '../../tools/year.ts';
import { measure as measureCalls } from './call-costs.ts';

test.each([
  ['calls', measureCalls],
  ['year', measureYear],
])(
  'performance-figures.md has the current figures (if not, run: npm run bench --prefix proof -- --write %s)',
  async (part, measure) => {
    const tables = documentation(await measure());
    const text = readFileSync(join(import.meta.dirname, '../performance-figures.md'), 'utf8');
    expect(text.split(`<!-- ${part} -->\n`)[1]?.split(`<!-- end of ${part} -->`)[0]).toBe(`\n${tables}\n\n`);
  },
);

test('the most frequent actions stay below their price limits, in dollars for a million', async () => {
  const [{ rows } = { rows: [] }] = await measureCalls();
  const totals = Object.fromEntries(rows.map((row) => [row[0], Number(row.at(-1))]));
  expect(totals['GET dog, 100 barks']).toBeLessThanOrEqual(5.1);
  expect(totals['a bark: `record` or `count`']).toBeLessThanOrEqual(7.3);
  expect(totals['an asynchronous bark: `record`']).toBeLessThanOrEqual(19.8);
});
