import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

const project = resolve(import.meta.dirname, '..');

/** Where the bundles are kept from one time to the next. */
const output = join(project, '.build');
const manifestFile = join(output, 'manifest.json');

/**
 * CommonJS, because a function starts faster from it, under a name that says so wherever the file lies; the SDK inside,
 * because what a bundle holds of it loads faster than the runtime's copy, and is the version that was tested.
 */
const options = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  alias: { '@aws-sdk/credential-provider-node': join(project, 'lambdas/credential-provider.ts') },
  // The SDK imports them when a call streams events; none of ours does.
  external: ['@smithy/core/event-streams'],
  metafile: true,
  absWorkingDir: project,
  outdir: output,
  logLevel: 'warning',
} satisfies BuildOptions;

/** The files that a bundle contains beside its code: their texts by name, for each entry. */
export type FilesOfEntries = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** For each entry the project's own modules that its bundle holds, and a digest of all that it was made from. */
type Manifest = Record<string, { readonly inputs: readonly string[]; readonly digest: string }>;

/**
 * Bundles functions: all of them side by side, and only those that changed since the last time.
 *
 * @param entries modules below `lambdas/`
 * @param files what else lies beside the code of an entry
 * @returns for each entry the directory that holds its `index.cjs`
 */
export function bundle(entries: readonly string[], files: FilesOfEntries = new Map()): Map<string, string> {
  const manifest = readManifest();
  const stale = entries.filter((entry) => {
    const known = manifest[entry];
    return !known || !existsSync(bundleOf(entry)) || known.digest !== digestOf(known.inputs);
  });
  if (stale.length > 0)
    writeFileSync(manifestFile, JSON.stringify({ ...manifest, ...build(stale) }, null, 2));
  const directories = new Map(entries.map((entry) => [entry, join(output, nameOf(entry))]));
  for (const [entry, texts] of files)
    for (const [name, text] of Object.entries(texts))
      writeFileSync(join(directories.get(entry) ?? '', name), text);
  return directories;
}

function build(entries: readonly string[]): Manifest {
  const { metafile } = buildSync({ ...options, entryPoints: entryPointsOf(entries) });
  return Object.fromEntries(
    entries.map((entry) => {
      const { inputs } = metafile.outputs[`.build/${nameOf(entry)}/index.cjs`] ?? { inputs: {} };
      // What a package holds changes with the lock file alone.
      const own = Object.keys(inputs).filter((input) => !input.includes('node_modules/'));
      return [entry, { inputs: own, digest: digestOf(own) }];
    }),
  );
}

/** What bundles are made of, as esbuild tells it; nothing is written. */
export function metafileOf(entries: readonly string[]): Metafile {
  return buildSync({ ...options, entryPoints: entryPointsOf(entries), write: false }).metafile;
}

function entryPointsOf(entries: readonly string[]) {
  return entries.map((entry) => ({
    in: join(project, 'lambdas', entry),
    out: join(nameOf(entry), 'index'),
  }));
}

function digestOf(inputs: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(options));
  for (const input of ['package-lock.json', ...inputs]) {
    const file = join(project, input);
    hash.update(existsSync(file) ? readFileSync(file) : '');
  }
  return hash.digest('hex');
}

function readManifest(): Manifest {
  return existsSync(manifestFile) ? JSON.parse(readFileSync(manifestFile, 'utf8')) : {};
}

function nameOf(entry: string): string {
  return entry.replace(/\.ts$/, '');
}

function bundleOf(entry: string): string {
  return join(output, nameOf(entry), 'index.cjs');
}
