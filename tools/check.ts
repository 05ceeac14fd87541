import { spawnSync } from 'node:child_process';
import { install } from './install.ts';

const linter = (path: string) => `tools/lint/node_modules/${path}`;
const biome = [linter('@biomejs/biome/bin/biome'), 'check'];
const cruiser = linter('dependency-cruiser/bin/dependency-cruiser.mjs');
const tsc = 'node_modules/typescript/bin/tsc';

/** Each with its module and the module's arguments, and with what to do if the check fails. */
const checks: Record<string, readonly [command: readonly string[], remedy: string]> = {
  lint: [[...biome, '--error-on-warnings', '.'], 'run npm run format, and correct what remains'],
  imports: [
    [cruiser, '--config', 'tools/lint/dependency-cruiser.js', '--output-type', 'err-long', '.'],
    'change the import, or the rule in tools/lint/dependency-cruiser.js',
  ],
  dead: [
    [linter('knip/bin/knip.js'), '--config', 'tools/lint/knip.jsonc', '--treat-config-hints-as-errors'],
    'delete what nothing uses, or list the file that uses it in tools/lint/knip.jsonc',
  ],
  types: [[tsc], 'correct the types; npm run openapi generates those of the client'],
  // @extension console|docs {
  'types:web': [
    [tsc, '--project', 'web'],
    'correct the types in web/; npm run openapi generates those of the client',
  ],
  // @extension console|docs }
};

/** These run only if the command line names them. */
const others: Record<string, readonly [command: readonly string[], effect: string]> = {
  format: [[...biome, '--write', '.'], 'formats all files'],
  runtime: [['test/runtime/run.ts'], "runs each bundle with Lambda's own runtime"],
  formats: [['test/start/stored-formats/record.ts'], 'records the data that a release stores'], // @extension project
};

const usage = `npm run check [-- <name> [argument …]]

Runs all checks, even after one has failed: ${Object.keys(checks).join(', ')}. With a name, runs only that check, with the arguments.
These run only by name:

${Object.entries(others)
  .map(([name, [, effect]]) => `  ${name.padEnd(8)}  ${effect}`)
  .join('\n')}`;

const [name, ...args] = process.argv.slice(2);
const command = name === undefined ? [] : (checks[name] ?? others[name])?.[0];
if (!command) {
  console.error(usage);
  process.exit(name === '--help' || name === '-h' ? 0 : 2);
}

function run(command: readonly string[]): number {
  if (command[0]?.startsWith('tools/lint/')) install('tools/lint');
  return spawnSync(process.execPath, command, { stdio: 'inherit' }).status ?? 1;
}

if (name !== undefined) process.exit(run([...command, ...args]));
const results = Object.entries(checks).map(([check, [command, remedy]]) =>
  run(command) === 0 ? `passed  npm run check -- ${check}` : `FAILED  npm run check -- ${check}: ${remedy}`,
);
console.log(`\n${results.join('\n')}`);
process.exitCode = results.some((line) => line.startsWith('FAILED')) ? 1 : 0;
