import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { showHelp } from '../../lib/command-line.ts';
import { documentation, markdown, putInto, type Table } from '../../tools/table.ts';
import { jest, run } from '../support/totals.ts';
import { type Figures, readFigures } from './figures.ts';

const usage = `npm run test:faults [-- [--write=<file>] argument of Jest …]

Runs all cases of the suite of faults, races and inputs, and prints its figures.

--write=<file>  also writes the figures to this file if all tests pass`;

showHelp(usage);

const directory = mkdtempSync(join(tmpdir(), 'figures-'));
const file = join(directory, 'figures');
const isWrite = (argument: string) => argument.startsWith('--write=');
const given = process.argv.slice(2);
const page = given.find(isWrite)?.replace('--write=', '');

function tablesOf(all: readonly Figures[]): Table[] {
  return [...new Set(all.map(({ part }) => part))].map((part) => {
    const lines = all.filter((one) => one.part === part);
    const names = [...new Set(lines.flatMap(({ figures }) => Object.keys(figures)))];
    return {
      title: part,
      columns: ['', ...names],
      rows: lines.map(({ of = '', figures }) => [of, ...names.map((name) => figures[name] ?? 0)]),
    };
  });
}

/** Returns the table with a row of sums for all pairs of operations and for all rows in which only the first figure is not 0. */
function condensed({ rows, ...table }: Table): Table {
  const isMinor = ([name, , ...figures]: Table['rows'][number]) =>
    String(name).includes(' against ') || figures.every((figure) => figure === 0);
  const minor = rows.filter(isMinor);
  if (minor.length < 2) return { ...table, rows };
  const sums = table.columns.slice(1).map((_, i) => minor.reduce((sum, row) => sum + Number(row[i + 1]), 0));
  return { ...table, rows: [...rows.filter((row) => !isMinor(row)), [`${minor.length} others`, ...sums]] };
}

Object.assign(process.env, { THOROUGH: 'yes', FIGURES_FILE: file });
const { status } = run(jest, ['--selectProjects', 'faults', ...given.filter((one) => !isWrite(one))]);
const tables = tablesOf(readFigures(file));
console.log(`\n${tables.map(markdown).join('\n\n')}`);
if (status === 0 && page !== undefined)
  for (const table of tables) putInto(page, table.title.toLowerCase(), documentation([condensed(table)]));
rmSync(directory, { recursive: true });
process.exitCode = status ?? 1;
