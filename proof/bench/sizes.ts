import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundleFile, metafileOf } from '../../lib/bundles.ts';
import { entryOf, functionsOf, sizeBudget } from '../../tools/functions.ts';
import { synthesize } from '../../tools/synthesis.ts';
import type { Table } from '../../tools/table.ts';

const project = resolve(import.meta.dirname, '../..');

export async function measure(): Promise<readonly Table[]> {
  const directory = mkdtempSync(join(tmpdir(), 'sizes-'));
  try {
    const output = join(directory, 'cdk.out');
    const stack = await synthesize({ project, settings: {}, directory: output, inputs: [] });
    const functions = functionsOf(stack);
    const parts = partsOf(functions.map(({ name }) => entryOf(name)));
    return [
      {
        title: 'Size of each function in kilobytes, with the ten largest parts of its code',
        columns: ['', 'services', 'code', 'budget', 'whole asset', 'parts'],
        rows: functions.map((one) => [
          one.name,
          one.services.join(', '),
          kilobytes(statSync(join(one.directory, bundleFile)).size),
          kilobytes(sizeBudget(one)),
          kilobytes(sizeOf(one.directory)),
          parts.get(entryOf(one.name)) ?? '',
        ]),
        documented: () => false,
      },
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
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
