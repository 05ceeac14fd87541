import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeAwsConfiguration } from '@rest-actions/local-cloud/platform';
import { fail, readCommandLine } from '../../lib/command-line.ts';
import { documentation, markdown, putInto } from '../../tools/table.ts';
import { runLoad } from './load.ts';

const usage = `npm run test:load --prefix proof [-- [--minutes <number>] [--write]]

Starts a new instance of the service, puts it under load, kills the service and its database with kill -9, and prints figures.

--minutes  the duration of the load (default: 3)
--write    also writes the figures to proof/reliability-figures.md`;

const { values } = readCommandLine(usage, {
  minutes: { type: 'string', default: '3' },
  write: { type: 'boolean' },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) fail(`--minutes must be a positive number, not "${values.minutes}".`);

removeAwsConfiguration();
const directory = mkdtempSync(join(tmpdir(), 'load-'));
console.log(`The load test takes ${minutes} minutes, plus up to three minutes until all barks have ended …`);
const { tables, faults } = await runLoad(directory, minutes * 60_000);
console.log(`\n${tables.map(markdown).join('\n\n')}`);
if (faults.length > 0) {
  console.error(`\nDefects (for details, see the data of the service in ${directory}):`);
  for (const fault of faults) console.error(`  ${fault}`);
  process.exit(1);
}
rmSync(directory, { recursive: true });
if (values.write)
  putInto(join(import.meta.dirname, '../reliability-figures.md'), 'load', documentation(tables));
