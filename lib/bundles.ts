import { createHash, hash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { SourceMapPayload } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { type BuildOptions, build, buildSync, type Metafile } from 'esbuild';

const project = resolve(import.meta.dirname, '..');

// esbuild reads these Go runtime variables when its process starts. Without garbage collection, bundling takes
// little more than half the processor time. The memory limit turns collection on again in a process that bundles often.
process.env.GOGC ??= 'off';
process.env.GOMEMLIMIT ??= '1GiB';

const output = join(project, '.build');
/** The bundle's file name in each entry's directory. */
export const bundleFile = 'main.cjs';

const manifestFile = join(output, 'manifest.json');

/** Contains the source maps, outside of the directories that are deployed. */
const mapsFolder = join(output, 'maps');

/**
 * Functions start faster from CommonJS, and the extension `.cjs` makes Node treat the bundles as CommonJS regardless of
 * `package.json`. The bundles include the SDK, because the bundled parts load faster than the runtime's copy, and their
 * version is the one that the tests use.
 */
const options = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  mainFields: ['module', 'main'],
  minify: true,
  sourcemap: 'external',
  sourcesContent: false,
  legalComments: 'none',
  alias: {
    '@aws-sdk/credential-provider-node': join(project, 'lambdas/credential-provider.ts'),
    '@aws-sdk/middleware-endpoint-discovery': join(project, 'lambdas/endpoint-discovery.ts'),
  },
  // The SDK imports this module only for calls that stream events, which the service never makes.
  external: ['@smithy/core/event-streams'],
  metafile: true,
  absWorkingDir: project,
  outdir: output,
  logLevel: 'warning',
} satisfies BuildOptions;

/** The module that Lambda loads. Only an ES module can make the initialization wait for the bundle's preparation. */
const initialization = `import main from './${bundleFile}';
await main.prepare?.();
export const { handler } = main;
`;

/** For each entry, the contents of the files to add beside its bundle, by file name. */
export type FilesOfEntries = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** For each entry, the project's modules in its bundle, and a digest of these modules, the lock file and the options. */
type Manifest = Record<string, BundleRecord>;

interface BundleRecord {
  readonly inputs?: readonly string[];
  readonly digest?: string;
  /** The names of the source maps of the bundle and of the one that it replaced, which a running stack may still use. */
  readonly maps?: readonly string[];
}

export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/**
 * Bundles only the entries whose bundle is missing or outdated.
 *
 * @param entries the paths of modules, relative to `lambdas/`
 * @returns for each entry, the directory that contains its bundle and its `index.mjs`
 * @throws OutputError if the project's folder is read-only
 */
export function bundle(entries: readonly string[], files: FilesOfEntries = new Map()): Map<string, string> {
  const stale = staleOf(entries);
  if (stale.length > 0) {
    removeBundles(stale);
    add(stale, buildSync(optionsFor(stale)));
  }
  const directories = new Map(entries.map((entry) => [entry, join(output, nameOf(entry))]));
  for (const [entry, texts] of files)
    for (const [name, text] of Object.entries(texts))
      writeFileSync(join(directories.get(entry) ?? '', name), text);
  return directories;
}

/**
 * Bundles in advance, so that `bundle` has nothing left to bundle. esbuild runs in another process, so the caller can
 * load the CDK in the meantime.
 *
 * @throws OutputError as `bundle` does
 */
export async function bundleAhead(entries: readonly string[]): Promise<void> {
  const stale = staleOf(entries);
  if (stale.length === 0) return;
  removeBundles(stale);
  add(stale, await build(optionsFor(stale)));
}

function staleOf(entries: readonly string[]): string[] {
  const manifest = readManifest();
  return entries.filter((entry) => {
    const known = manifest[entry];
    return !known?.inputs || !existsSync(bundleOf(entry)) || known.digest !== digestOf(known.inputs);
  });
}

/** @throws OutputError if no bundle can be written */
function removeBundles(entries: readonly string[]): void {
  try {
    mkdirSync(output, { recursive: true });
    accessSync(output, constants.W_OK);
  } catch (cause) {
    throw new OutputError(
      `The bundles cannot be written: ${(cause as Error).message}. Make the folder ${output} writable, or use npm start -- --app with a stack that has been synthesized.`,
      { cause },
    );
  }
  for (const entry of entries) rmSync(join(output, nameOf(entry)), { recursive: true, force: true });
}

function optionsFor(entries: readonly string[]) {
  return { ...options, entryPoints: entryPointsOf(entries) };
}

function add(entries: readonly string[], { metafile }: { readonly metafile: Metafile }): void {
  const known = readManifest();
  const bundled = entries.map((entry) => {
    writeFileSync(join(output, nameOf(entry), 'index.mjs'), initialization);
    const { inputs } = metafile.outputs[`.build/${nameOf(entry)}/${bundleFile}`] ?? { inputs: {} };
    // The contents of packages change only with the lock file, which is an input of every digest.
    const ownInputs = Object.keys(inputs).filter((input) => !input.includes('node_modules/'));
    const maps = [keepMap(entry), ...(known[entry]?.maps?.slice(0, 1) ?? [])];
    return [entry, { inputs: ownInputs, digest: digestOf(ownInputs), maps }] as const;
  });
  const manifest = { ...known, ...Object.fromEntries(bundled) };
  writeManifest(manifest);
  removeOtherMaps(manifest);
}

/** Moves the map out of the bundle's directory. Returns its new name. */
function keepMap(entry: string): string {
  const bundle = bundleOf(entry);
  const name = mapNameOf(readFileSync(bundle, 'utf8'));
  mkdirSync(mapsFolder, { recursive: true });
  renameSync(`${bundle}.map`, join(mapsFolder, name));
  return name;
}

function removeOtherMaps(manifest: Manifest): void {
  const kept = new Set(Object.values(manifest).flatMap(({ maps = [] }) => maps));
  for (const name of readdirSync(mapsFolder))
    if (!kept.has(name)) rmSync(join(mapsFolder, name), { force: true });
}

/**
 * @param code the content of a bundle
 * @returns the source map, with absolute paths; undefined for a bundle that is neither the current nor the previous one of
 *   its entry
 * @throws Error if the map has been deleted
 */
export function sourceMapOf(code: string): SourceMapPayload | undefined {
  const name = mapNameOf(code);
  const [entry] = Object.entries(readManifest()).find(([, { maps }]) => maps?.includes(name)) ?? [];
  if (entry === undefined) return undefined;
  const map: SourceMapPayload = JSON.parse(readFileSync(join(mapsFolder, name), 'utf8'));
  return { ...map, sources: map.sources.map((source) => resolve(dirname(bundleOf(entry)), source)) };
}

function mapNameOf(code: string): string {
  return `${hash('sha256', code)}.map`;
}

function entryPointsOf(entries: readonly string[]) {
  return entries.map((entry) => ({
    in: join(project, 'lambdas', entry),
    out: join(nameOf(entry), bundleFile.replace('.cjs', '')),
  }));
}

function digestOf(inputs: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(options) + initialization);
  for (const input of ['package-lock.json', ...inputs]) {
    const file = join(project, input);
    hash.update(existsSync(file) ? readFileSync(file) : '');
  }
  return hash.digest('hex');
}

/** Empty if the file is missing or incomplete; all entries are then stale. */
function readManifest(): Manifest {
  try {
    return JSON.parse(readFileSync(manifestFile, 'utf8')) ?? {};
  } catch {
    return {};
  }
}

function writeManifest(manifest: Manifest): void {
  const draft = `${manifestFile}.new`;
  writeFileSync(draft, JSON.stringify(manifest, null, 2));
  renameSync(draft, manifestFile);
}

function nameOf(entry: string): string {
  return entry.replace(/\.ts$/, '');
}

function bundleOf(entry: string): string {
  return join(output, nameOf(entry), bundleFile);
}
