import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Package = Record<string, unknown> & {
  readonly [Kind in
    | 'dependencies'
    | 'devDependencies'
    | 'optionalDependencies'
    | 'peerDependencies']?: Readonly<Record<string, string>>;
};
type Packages = Readonly<Record<string, Package>>;

const localCloud = '@rest-actions/local-cloud';
const scripts = ['own', 'rename'];
const version = '0.1.0';

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const writeJson = (path: string, value: unknown) =>
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

function without(object: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** Returns the packages of a lock file that its root needs, directly or indirectly. */
function usedPackages(packages: Packages): Packages {
  const used = new Set(['']);
  for (const path of used) {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = packages[path] ?? {};
    for (const name of Object.keys({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
      ...peerDependencies,
    })) {
      // As Node does, look in the package itself, and then in each folder above it.
      const folders = path
        .split('/node_modules/')
        .map((_, i, all) => all.slice(0, i + 1).join('/node_modules/'));
      const found = ['', ...folders]
        .map((folder) => `${folder && `${folder}/`}node_modules/${name}`)
        .findLast((candidate) => candidate in packages);
      if (found) used.add(found);
    }
  }
  return Object.fromEntries(Object.entries(packages).filter(([path]) => used.has(path)));
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
  const tarballs = join(folder, 'packages');
  mkdirSync(tarballs);
  const pack = [
    'pack',
    '--workspace',
    'local',
    '--json',
    '--loglevel',
    'error',
    '--pack-destination',
    tarballs,
  ];
  const output = execFileSync('npm', pack, {
    cwd: project,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const [{ filename, integrity }] = JSON.parse(output.slice(output.indexOf('[')));
  const tarball = `file:packages/${filename}`;

  const path = join(folder, 'package.json');
  const { workspaces: _, ...manifest } = readJson(path);
  const dependencies = without(manifest.dependencies, [...unused, ...ofTools]);
  const devDependencies = {
    ...without(manifest.devDependencies, unused),
    ...Object.fromEntries(ofTools.map((name) => [name, manifest.dependencies[name]])),
    [localCloud]: tarball,
  };
  const changes = { version, scripts: without(manifest.scripts, scripts), dependencies, devDependencies };
  writeJson(path, { ...manifest, ...changes });

  const lockPath = join(folder, 'package-lock.json');
  const lock = readJson(lockPath);
  const { local, '': root, ...packages } = lock.packages;
  const { workspaces: __, ...ownRoot } = root;
  const { name, bin } = manifest;
  writeJson(lockPath, {
    ...lock,
    ...{ name, version },
    packages: usedPackages({
      '': { ...ownRoot, name, version, bin, dependencies, devDependencies },
      ...packages,
      [`node_modules/${localCloud}`]: { ...local, resolved: tarball, integrity, dev: true },
    }),
  });
}
