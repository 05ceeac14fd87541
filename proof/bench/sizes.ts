import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundleFile, sourceMapOf } from '../../lib/bundles.ts';
import { functionsOf, sizeBudget } from '../../tools/functions.ts';
import { synthesize } from '../../tools/synthesis.ts';
import type { Table } from '../../tools/table.ts';

const project = resolve(import.meta.dirname, '../..');

export async function measure(): Promise<readonly Table[]> {
  const directory = mkdtempSync(join(tmpdir(), 'sizes-'));
  try {
    const output = join(directory, 'cdk.out');
    const stack = await synthesize({ project, settings: {}, directory: output, inputs: [] });
    const functions = functionsOf(stack);
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
          partsOf(join(one.directory, bundleFile)),
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

/** Returns the ten largest parts of a bundle. A part is a package, or all of the project's own modules. */
function partsOf(bundle: string): string {
  const code = readFileSync(bundle, 'utf8');
  const payload = sourceMapOf(code);
  if (!payload) throw new Error(`${bundle} has no source map. Delete .build.`);
  const map = new SourceMap(payload);
  const sizes = new Map<string, number>();
  for (const [line, { length }] of code.split('\n').entries())
    for (let column = 0; column < length; column++) {
      const entry = map.findEntry(line, column);
      if (!('originalSource' in entry)) continue;
      const [, part = 'own'] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(entry.originalSource) ?? [];
      sizes.set(part, (sizes.get(part) ?? 0) + 1);
    }
  const largest = [...sizes].sort(([, a], [, b]) => b - a).slice(0, 10);
  return largest.map(([part, size]) => `${part} ${kilobytes(size)}`).join(', ');
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0);
}
