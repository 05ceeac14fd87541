import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Language, languages } from '../../web/shared/http/snippets/snippet.ts';

/** Makes `console.log` print documents as JSON, as the other languages do. */
const printJson =
  'console.log = (...parts) => process.stdout.write(parts.map((part) => typeof part === "object" ? JSON.stringify(part) : part).join(" ") + "\\n")';

/** The program that runs examples in a language, and its parameters before the code. */
const runners: Readonly<Record<Language, readonly [string, ...string[]]>> = {
  curl: ['bash', '-euo', 'pipefail', '-c'],
  typescript: [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    `--import=data:text/javascript,${encodeURIComponent(printJson)}`,
    '--input-type=module-typescript',
    '--eval',
  ],
  python: ['python3', '-c'],
};

export const installed = languages.filter((language) => {
  const [program] = runners[language];
  const isInstalled = [program, ...(language === 'curl' ? ['curl'] : [])].every(
    (name) => spawnSync(name, ['--version']).status === 0,
  );
  if (!isInstalled) console.log(`skipped: the examples in ${language}, because ${program} is not installed`);
  return isInstalled;
});

/** The line with which an example in TypeScript begins. */
const importLine = /^import \{ (.*) \} from '\.\/client\/index\.ts';$/m;

/** Returns examples as one program, in which no example sees the variables and the functions of another. */
const joined: Readonly<Record<Language, (examples: readonly string[]) => string>> = {
  curl: (examples) => examples.map((example) => `(\n${example}\n)`).join('\n'),
  typescript: (examples) => {
    const names = examples.flatMap((example) => importLine.exec(example)?.[1]?.split(', ') ?? []);
    // An import cannot be in a block.
    const blocks = examples.map((example) => `{\n${example.replace(importLine, '')}\n}`);
    return [`import { ${[...new Set(names)].join(', ')} } from './client/index.ts';`, ...blocks].join('\n');
  },
  python: (examples) => examples.map((example) => `exec(${JSON.stringify(example)}, {})`).join('\n'),
};

/** Runs examples in one process, in the folder that contains `client`. Returns their output, after an empty line. */
export async function runExamples(
  language: Language,
  examples: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const [program, ...options] = runners[language];
  const code = joined[language](examples);
  const child = spawn(program, [...options, code], {
    cwd: join(import.meta.dirname, '../..'),
    env: { LC_ALL: 'C.UTF-8', PYTHONUNBUFFERED: '1', ...environment, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (status !== 0) throw new Error(`The examples ended with the code ${status}: ${errors}\n${code}`);
  return `\n${output}`;
}
