import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteName } from '../../lambdas/contract/routes.ts';
import type { Settings } from '../../lib/settings.ts';

/** What the tests of the stack and its settings need to know about an extension: `test/lib/extensions/<name>/values.ts`. */
export interface ExtensionValues {
  /** Values other than the defaults. */
  readonly other: object;
  /** True if these values give each function an alias. */
  readonly needsAlias?: true;
  /** The routes whose functions get more time. */
  readonly longer?: readonly RouteName[];
  readonly accepted?: Readonly<Record<string, readonly unknown[]>>;
  readonly refused?: Readonly<Record<string, readonly unknown[]>>;
  /** The resource types to which CloudFormation does not add the stack's tags. */
  readonly tagged?: readonly string[];
  /** Findings of cdk-nag that are no faults. */
  readonly acknowledged?: readonly {
    readonly rule: string;
    readonly path: string;
    readonly reason: string;
  }[];
}

const folder = join(import.meta.dirname, '../lib/extensions');

async function valuesOf(file: string): Promise<ExtensionValues> {
  return ((await import(join(folder, file))) as { values: ExtensionValues }).values;
}

export const extensions = await Promise.all(globSync('*/values.ts', { cwd: folder }).sort().map(valuesOf));

export const otherExtensionSettings: Partial<Settings> = Object.assign(
  {},
  ...extensions.map(({ other }) => other),
);

export const aliasSettings: Partial<Settings> = Object.assign(
  {},
  ...extensions.filter(({ needsAlias }) => needsAlias).map(({ other }) => other),
);

/** The files with the tests of the extensions' resources. */
export const stackTests = globSync('*/stack.ts', { cwd: folder })
  .sort()
  .map((file) => join(folder, file));
