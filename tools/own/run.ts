import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readCommandLine } from '../../lib/command-line.ts';
import { install } from '../install.ts';
import { renamed, type Words, wordsOf } from '../rename.ts';
import { copyFiles } from './copy.ts';
import { extensions, filesWithout } from './extensions.ts';
import { changePackages } from './packages.ts';

const project = resolve(import.meta.dirname, '../..');
const all = Object.keys(extensions);

const usage = `npm run own -- <folder> [--keep <extension>,…] [--rename <old>=<new>[:<verb>] …]

Writes a service of your own to an empty folder: this one with your words, without the extensions that you do not keep, and
without what describes this project.

  --keep    all, or some of: ${all.join(', ')}
  --rename  the same words as in npm run rename: dog=ticket bark=reminder:remind

Without an extension:
${all.map((name) => `  ${name.padEnd(8)}  ${extensions[name]?.without}`).join('\n')}`;

function readParameters(): { folder: string; words: Words; left: readonly string[] } {
  const text = { type: 'string' } as const;
  const { values, positionals } = readCommandLine(usage, { keep: text, rename: text }, true);
  const [folder, ...more] = positionals;
  if (folder === undefined) throw new Error(`Name an empty folder.\n\n${usage}`);
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  const kept = values.keep === 'all' ? all : (values.keep?.split(',').filter(Boolean) ?? []);
  const unknown = kept.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`There is no extension "${unknown}", only: ${all.join(', ')}.`);
  const replacements = [...(values.rename?.split(' ') ?? []), ...more];
  return {
    folder: resolve(folder),
    words: replacements.length > 0 ? wordsOf(replacements) : { words: new Map(), verbs: new Map() },
    left: all.filter((name) => !kept.includes(name)),
  };
}

/** Generates the files that depend on the extensions and the words, with the packages of this project. */
function generate(folder: string): void {
  const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: folder, stdio: 'pipe' });
  const tools = ['tools/lint', 'openapi/tools'];
  for (const path of tools) install(join(project, path));
  const linked = ['node_modules', ...tools.map((path) => `${path}/node_modules`)];
  for (const path of linked) symlinkSync(join(project, path), join(folder, path), 'junction');
  try {
    run('lib/stage-schema.ts');
    run('openapi/tools/run.ts');
    // What is formatted once, the formatter can still change.
    for (const _ of ['first', 'second']) run('tools/check.ts', 'format');
    const tests = globSync('test/**/__snapshots__/*', { cwd: folder }).map((path) =>
      path.replace(/__snapshots__[\\/]/, '').replace('.snap', ''),
    );
    const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'];
    run(...jest, '--selectProjects', 'unit', '--update-snapshot', ...tests);
  } finally {
    for (const path of linked) rmSync(join(folder, path));
  }
}

try {
  const { folder, words, left } = readParameters();
  copyFiles(folder, words, left);
  const lacking = filesWithout(left);
  changePackages(project, folder, {
    unused: lacking.flatMap(({ packages = [] }) => packages),
    ofTools: lacking.flatMap(({ toolPackages = [] }) => toolPackages),
  });
  generate(folder);
  for (const args of [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '--all'],
  ])
    execFileSync('git', args, { cwd: folder });
  console.log(
    renamed(
      `Wrote ${folder}. Next, in that folder:
  1. Run npm ci && npm start, and npm ci && npm test. Then commit.
  2. Change what a bark does: lambdas/domain/barks. All barks write history-entry.ts; create.ts and perform.ts also send mail.
  3. Change the fields of a dog and their texts: lambdas/contract/dog-settings.ts.
  4. Change the settings of your stages: stages/. Zeros and empty values switch off the limits and the customer managed key.
  5. Before the first deployment, read in README.md what never changes afterwards.`,
      words,
    ),
  );
} catch (error) {
  const { message, stdout, stderr } = error as Error & { stdout?: Buffer; stderr?: Buffer };
  console.error([message, stdout, stderr].filter(Boolean).join('\n'));
  process.exitCode = 1;
}
