import { join } from 'node:path';
import { removeAwsConfiguration } from '@rest-actions/local-cloud/platform';
import { fail, readCommandLine } from '../../lib/command-line.ts';
import { documentation, markdown, putInto, type Table } from '../../tools/table.ts';

const figures = join(import.meta.dirname, '../performance-figures.md');

// No part calls AWS.
removeAwsConfiguration();

/** In the order of the output. */
const parts: Record<string, () => Promise<{ measure: () => Promise<readonly Table[]> }>> = {
  sizes: () => import('./sizes.ts'),
  warm: () => import('./warm.ts'),
  'cold-start': () => import('./cold-start.ts'),
  calls: () => import('./call-costs.ts'),
  year: () => import('../../tools/year.ts'),
  start: () => import('./start.ts'),
  throughput: () => import('./throughput.ts'),
};

const usage = `npm run bench --prefix proof [-- [--write] [part …]]

Runs the named parts of the benchmark. After each part, prints its figures and a line of progress. Without a name, runs all parts.
The parts are ${Object.keys(parts).join(', ')}.

--write  also writes the figures to proof/performance-figures.md

Each cold-start figure is the median of several processes. The environment variable BENCH_ROUNDS sets their number. The
cold-start part needs openssl for the server that replaces AWS.`;

const { values, positionals: named } = readCommandLine(usage, { write: { type: 'boolean' } }, true);
const unknown = named.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0)
  fail(`${unknown.map((name) => `The benchmark does not have a part "${name}".`).join('\n')}\n\n${usage}`);

const chosen = named.length > 0 ? named : Object.keys(parts);
for (const [index, name] of chosen.entries()) {
  const began = performance.now();
  const tables = (await (await parts[name]?.())?.measure()) ?? [];
  const duration = ((performance.now() - began) / 1000).toFixed(0);
  console.error(`[${index + 1}/${chosen.length}] ${name}: ${duration} s`);
  if (tables.length === 0) continue;
  console.log(`\n${tables.map(markdown).join('\n\n')}\n`);
  if (values.write && documentation(tables)) putInto(figures, name, documentation(tables));
}
