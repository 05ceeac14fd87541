import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { digestOf } from '../digest.ts';
import { openApiDocument } from '../document.ts';

const tools = import.meta.dirname;
const project = resolve(tools, '../..');
const types = join(project, 'client/schema.ts');

/** Turns off the telemetry and the update check of the linter. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

function run(program: string, parameters: readonly string[], cwd = tools): void {
  execFileSync(program, parameters, { cwd, stdio: 'inherit', env: { ...process.env, ...quiet } });
}

const tool = (name: string) => join(tools, 'node_modules/.bin', name);

function install(): void {
  const [lock, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map((file) =>
    join(tools, file),
  ) as [string, string];
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) run('npm', ['ci']);
}

/** Writes the types of the client, which are generated from the description. */
function generate(file: string, digest: string): void {
  const parameters = ['--immutable', '--root-types', '--root-types-no-schema-prefix'];
  run(tool('openapi-typescript'), [file, ...parameters, '--default-non-nullable', 'false', '-o', types]);
  const generated = readFileSync(types, 'utf8').replace(/^\/\*\*.*?\*\/\n/s, '');
  const head = `// Made by \`npm run openapi\` of the description whose digest is ${digest}.\n`;
  writeFileSync(types, head + generated);
  run(join(project, 'node_modules/.bin/biome'), ['check', '--write', types], project);
}

const work = mkdtempSync(join(tmpdir(), 'openapi-'));
try {
  const document = openApiDocument();
  const file = join(work, 'openapi.json');
  writeFileSync(file, JSON.stringify(document, null, 2));
  install();
  run(tool('redocly'), ['lint', '--config', join(tools, 'redocly.yaml'), file]);
  generate(file, digestOf(document));
} catch (error) {
  if ((error as { status?: number }).status === undefined) throw error;
  process.exitCode = 1; // The tool has already printed the error.
} finally {
  rmSync(work, { recursive: true });
}
