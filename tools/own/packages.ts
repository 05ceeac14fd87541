import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Versions = Readonly<Record<string, string>>;
const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;
/** By path, as in a lock file. */
type Packages = Readonly<Record<string, Readonly<Partial<Record<(typeof kinds)[number], Versions>>>>>;

const localCloud = '@rest-actions/local-cloud';
const version = '0.1.0';

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const writeJson = (path: string, value: unknown) =>
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
const without = (object: Versions, names: readonly string[]): Versions =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** Returns the packages of a lock file that its root needs, directly or indirectly. */
function usedPackages(packages: Packages): Packages {
  const used = new Set(['']);
  for (const path of used)
    for (const name of kinds.flatMap((kind) => Object.keys(packages[path]?.[kind] ?? {}))) {
      // As Node does, look in the package itself, and then in each folder above it.
      const parts = path.split('/node_modules/');
      const folders = parts.map((_, i) => `${parts.slice(0, i + 1).join('/node_modules/')}/`);
      const found = ['', ...folders]
        .map((folder) => `${folder}node_modules/${name}`)
        .findLast((candidate) => candidate in packages);
      if (found) used.add(found);
    }
  return Object.fromEntries(Object.entries(packages).filter(([path]) => used.has(path)));
}

/** False for a script that runs a file that the copy lacks. */
function hasProgram(folder: string, script: string): boolean {
  const [, program] = /^node (\S+)/.exec(script) ?? [];
  return program === undefined || existsSync(join(folder, program));
}

/** Packs the local cloud. */
function pack(project: string, folder: string): { filename: string; integrity: string } {
  mkdirSync(folder);
  const args = ['pack', join(project, 'local'), '--json', '--loglevel', 'error'];
  const shell = process.platform === 'win32';
  const output = execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe', shell });
  return JSON.parse(output.slice(output.indexOf('[')))[0];
}

/**
 * Replaces the local cloud with its tarball, removes the packages and scripts that the copy does not use, and moves the packages that
 * only tools use to the development dependencies.
 */
export function changePackages(
  project: string,
  folder: string,
  { unused, ofTools }: { readonly unused: readonly string[]; readonly ofTools: readonly string[] },
): void {
  const { filename, integrity } = pack(project, join(folder, 'packages'));
  const resolved = `file:packages/${filename}`;
  const path = join(folder, 'package.json');
  const { workspaces: _, description: ___, keywords: ____, ...manifest } = readJson(path);
  const dependencies = without(manifest.dependencies, [...unused, ...ofTools]);
  const moved = Object.fromEntries(ofTools.map((name) => [name, manifest.dependencies[name]]));
  const devDependencies = {
    ...without({ ...manifest.devDependencies, ...moved }, unused),
    [localCloud]: resolved,
  };
  const scripts = Object.fromEntries(
    Object.entries<string>(manifest.scripts).filter(([, script]) => hasProgram(folder, script)),
  );
  writeJson(path, { ...manifest, version, scripts, dependencies, devDependencies });

  const lockPath = join(folder, 'package-lock.json');
  const lock = readJson(lockPath);
  const { local, '': root, ...packages } = lock.packages;
  const { name, bin } = manifest;
  const { workspaces: __, ...ownRoot } = { ...root, name, version, bin, dependencies, devDependencies };
  packages[`node_modules/${localCloud}`] = { ...local, resolved, integrity, dev: true };
  writeJson(lockPath, { ...lock, name, version, packages: usedPackages({ '': ownRoot, ...packages }) });
}
