import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFile, metafileOf } from '../lib/bundles.ts';
import { entryOf, functionsOf, type MeasuredFunction, sizeBudget } from '../tools/functions.ts';
import { synthesize } from '../tools/synthesis.ts';
import type { Table } from '../tools/table.ts';

export async function measure(): Promise<readonly Table[]> {
  const directory = mkdtempSync(join(tmpdir(), 'sizes-'));
  try {
    const output = join(directory, 'cdk.out');
    const stack = await synthesize({ project: '.', settings: {}, directory: output, inputs: [] });
    const functions = functionsOf(stack);
    const parts = partsOf(functions.map(({ name }) => entryOf(name)));
    return [
      summaryOf(functions),
      {
        title: 'Size of each function in kilobytes',
        columns: ['', 'services', 'code', 'budget', 'whole asset'],
        rows: functions.map((one) => [
          one.name,
          one.services.join(', '),
          kilobytes(codeSizeOf(one)),
          kilobytes(sizeBudget(one)),
          kilobytes(sizeOf(one.directory)),
        ]),
        documented: () => false,
      },
      {
        title: 'The ten largest parts of each function, in kilobytes',
        columns: ['', 'parts'],
        rows: functions.map(({ name }) => [name, parts.get(entryOf(name)) ?? '']),
        documented: () => false,
      },
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function summaryOf(functions: readonly MeasuredFunction[]): Table {
  const sizes = new Map<number, number[]>();
  for (const one of functions)
    sizes.set(sizeBudget(one), [...(sizes.get(sizeBudget(one)) ?? []), codeSizeOf(one)]);
  return {
    title: 'Code size of the functions in kilobytes, by their budget',
    documented: () => false,
    columns: ['budget', 'functions', 'smallest', 'largest'],
    rows: [...sizes]
      .sort(([a], [b]) => a - b)
      .map(([budget, all]) => [
        kilobytes(budget),
        all.length,
        kilobytes(Math.min(...all)),
        kilobytes(Math.max(...all)),
      ]),
  };
}

function codeSizeOf({ directory }: MeasuredFunction): number {
  return statSync(join(directory, bundleFile)).size;
}

function sizeOf(directory: string): number {
  return readdirSync(directory)
    .map((file) => statSync(join(directory, file)).size)
    .reduce((sum, size) => sum + size, 0);
}

/** Returns each bundle's ten largest parts, by entry. A part is a package, or all of the project's own modules. */
function partsOf(entries: readonly string[]): Map<string, string> {
  const { outputs } = metafileOf(entries);
  return new Map(
    entries.map((entry) => {
      const inputs = outputs[`.build/${entry.replace(/\.ts$/, '')}/${bundleFile}`]?.inputs ?? {};
      const sizes = new Map<string, number>();
      for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
        const [, part = 'own'] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
        sizes.set(part, (sizes.get(part) ?? 0) + bytesInOutput);
      }
      const largest = [...sizes].sort(([, a], [, b]) => b - a).slice(0, 10);
      return [entry, largest.map(([part, size]) => `${part} ${kilobytes(size)}`).join(', ')];
    }),
  );
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0);
}
