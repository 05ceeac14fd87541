import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, matchesGlob, posix, resolve } from 'node:path';
import { readCommandLine } from '../../lib/command-line.ts';
import { projectFiles } from '../files.ts';
import { install } from '../install.ts';
import { renamed, type Words, wordsOf } from '../rename.ts';
import { extensions, project as ofProject } from './extensions.ts';
import { withoutExtensions } from './marks.ts';

type Kept = Readonly<Record<string, boolean>>;

const project = resolve(import.meta.dirname, '../..');
const localCloud = '@rest-actions/local-cloud';

const usage = `npm run own -- <folder> [--keep <extension>,…] [--rename <old>=<new>[:<verb>] …]

Writes a service of your own to an empty folder: this one with your words, without the extensions that you do not keep, and
without what describes this project.

  --keep    all, or some of: ${Object.keys(extensions).join(', ')}
  --rename  the same words as in npm run rename: dog=ticket bark=reminder:remind`;

function readParameters(): { folder: string; words: Words; kept: Kept } {
  const [keep, rename] = [{ type: 'string' }, { type: 'string' }] as const;
  const { values, positionals } = readCommandLine(usage, { keep, rename }, true);
  const [folder, ...more] = positionals;
  if (folder === undefined) throw new Error(usage);
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  const all = Object.keys(extensions);
  const named = values.keep === 'all' ? all : (values.keep?.split(',') ?? []);
  const unknown = named.find((name) => !(name in extensions));
  if (unknown !== undefined) throw new Error(`There is no extension "${unknown}", only: ${all.join(', ')}.`);
  const replacements = [...(values.rename?.split(' ') ?? []), ...more];
  return {
    folder: resolve(folder),
    words: replacements.length > 0 ? wordsOf(replacements) : { words: new Map(), verbs: new Map() },
    kept: Object.fromEntries(all.map((name) => [name, named.includes(name)])),
  };
}

const matches = (path: string, pattern: string) =>
  path.startsWith(`${pattern}/`) || matchesGlob(path, pattern);

/** A Markdown link to a file that the copy lacks becomes its text. */
function withoutDeadLinks(text: string, path: string, paths: readonly string[]): string {
  return text.replace(/(!?)\[([^\]]*)\]\(([^)#:]+)(?:#[^)]*)?\)/g, (link, image, label, target) => {
    const file = posix.join(posix.dirname(path), target).replace(/\/$/, '');
    if (paths.some((other) => other === file || other.startsWith(`${file}/`))) return link;
    return image ? '' : label;
  });
}

function copyFiles(folder: string, words: Words, kept: Kept, patterns: readonly string[]): void {
  const all = projectFiles();
  const unused = patterns.find((pattern) => !all.some((path) => matches(path, pattern)));
  if (unused !== undefined) throw new Error(`tools/own/extensions.ts: no file matches "${unused}".`);
  const paths = all.filter((path) => !patterns.some((pattern) => matches(path, pattern)));
  for (const path of paths) {
    const bytes = readFileSync(join(project, path));
    const target = join(folder, renamed(path, words));
    mkdirSync(dirname(target), { recursive: true });
    if (bytes.includes(0) || /(?:^|\/)(?:LICENSE|package-lock\.json)$/.test(path))
      writeFileSync(target, bytes);
    else {
      const text = withoutExtensions(bytes.toString(), path, { ...kept, project: false });
      writeFileSync(
        target,
        renamed(path.endsWith('.md') ? withoutDeadLinks(text, path, paths) : text, words),
      );
    }
    chmodSync(target, statSync(join(project, path)).mode);
  }
  const texts = join(import.meta.dirname, 'texts');
  for (const name of readdirSync(texts)) {
    const text = withoutExtensions(readFileSync(join(texts, name), 'utf8'), name, kept);
    writeFileSync(join(folder, name), renamed(text, words));
  }
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const writeJson = (path: string, value: unknown) =>
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

/** Replaces the local cloud with its tarball, and removes the packages and scripts that the copy does not use. */
function changePackages(folder: string, unusedPackages: readonly string[]): void {
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: project, encoding: 'utf8' });
  mkdirSync(join(folder, 'packages'));
  const [packed] = JSON.parse(
    npm('pack', '-w', 'local', '--json', '--pack-destination', join(folder, 'packages')),
  );
  const tarball = `file:packages/${packed.filename}`;
  const path = join(folder, 'package.json');
  const { workspaces: _, ...manifest } = readJson(path);
  const { scripts, dependencies, devDependencies } = manifest;
  for (const name of ['own', 'rename']) delete scripts[name];
  for (const name of unusedPackages) {
    delete dependencies[name];
    delete devDependencies[name];
  }
  devDependencies[localCloud] = tarball;
  const version = '0.1.0';
  writeJson(path, { ...manifest, version });

  const lockPath = join(folder, 'package-lock.json');
  const lock = readJson(lockPath);
  const { name, bin } = manifest;
  const { local, ...packages } = lock.packages;
  packages[`node_modules/${localCloud}`] = {
    ...local,
    resolved: tarball,
    integrity: packed.integrity,
    dev: true,
  };
  const { workspaces: __, ...root } = packages[''];
  packages[''] = { ...root, name, version, bin, dependencies, devDependencies };
  writeJson(lockPath, { ...lock, name, version, packages: usedPackages(packages) });
}

type Packages = Readonly<Record<string, Record<string, Record<string, string> | undefined>>>;

/** Returns the packages of a lock file that its root needs, directly or indirectly. */
function usedPackages(packages: Packages): Packages {
  const used = new Set<string>(['']);
  for (const path of used) {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = packages[path] ?? {};
    const names = Object.keys({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
      ...peerDependencies,
    });
    for (const name of names) {
      // As Node does, look in the package itself and then in each folder above it.
      const parents =
        path === ''
          ? []
          : path.split('/node_modules/').map((_, i, all) => all.slice(0, i + 1).join('/node_modules/'));
      const found = ['', ...parents]
        .map((parent) => `${parent && `${parent}/`}node_modules/${name}`)
        .findLast((candidate) => candidate in packages);
      if (found) used.add(found);
    }
  }
  return Object.fromEntries(Object.entries(packages).filter(([path]) => used.has(path)));
}

/** Generates the files that depend on the extensions and the words, with the packages of this project. */
function generate(folder: string): void {
  const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: folder, stdio: 'pipe' });
  const tools = ['tools/lint', 'openapi/tools'];
  for (const path of tools) install(join(project, path));
  const linked = ['node_modules', ...tools.map((path) => `${path}/node_modules`)];
  for (const path of linked) symlinkSync(join(project, path), join(folder, path));
  try {
    run('lib/stage-schema.ts');
    run('openapi/tools/run.ts');
    // Formatted once, some code can still be formatted better.
    for (const _ of ['first', 'second']) run('tools/check.ts', 'format', '--log-level=error');
    const tests = globSync('test/**/__snapshots__/*', { cwd: folder }).map((path) =>
      path.replace('__snapshots__/', '').replace('.snap', ''),
    );
    run(
      '--experimental-vm-modules',
      'node_modules/jest/bin/jest.js',
      '--selectProjects',
      'unit',
      '--update-snapshot',
      ...tests,
    );
  } finally {
    for (const path of linked) rmSync(join(folder, path));
  }
}

const { folder, words, kept } = readParameters();
const left = Object.entries(extensions).flatMap(([name, extension]) => (kept[name] ? [] : [extension]));
copyFiles(folder, words, kept, [...ofProject, ...left.flatMap(({ files }) => files)]);
changePackages(
  folder,
  left.flatMap(({ packages = [] }) => packages),
);
generate(folder);
execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder });
execFileSync('git', ['add', '--all'], { cwd: folder });
console.log(
  renamed(
    `Wrote ${folder}. Next, in that folder:
  1. npm ci && npm start, and npm ci && npm test; then commit.
  2. Change what a bark does: lambdas/domain/barks/perform.ts and create.ts.
  3. Change the fields of a dog and their texts: lambdas/contract/dog-settings.ts.
  4. Change the settings of each stage: stages/. Zeros and empty values switch off the limits and the customer managed key.
  5. Before the first deployment, read what never changes afterwards: README.md.`,
    words,
  ),
);
