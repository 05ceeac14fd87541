import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFiles } from '../tools/files.ts';

const project = join(import.meta.dirname, '..');

function run(program: string, ...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) =>
    execFile(process.execPath, [program, ...args], { cwd: project }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    ),
  );
}

/** These scripts have a help that another test checks, or have no parameters and can always be run again. */
const others = ['check', 'deploy', 'destroy', 'diff', 'example', 'format', 'lint'].concat([
  'postinstall',
  'postpack',
  'prepack',
  'start',
  'typecheck',
  'verify', // @extension verify
]);

const programs = projectFiles()
  .filter((file) => /(^|\/)package\.json$/.test(file))
  .flatMap((file) => {
    const { scripts = {} } = JSON.parse(readFileSync(join(project, file), 'utf8'));
    return Object.entries<string>(scripts).flatMap(([name, script]) => {
      const [, program] = /^node (\S+\.(?:ts|mjs))/.exec(script) ?? [];
      return program === undefined ? [] : [{ name, program: join(dirname(file), program) }];
    });
  });

test.each(programs.filter(({ name }) => !others.includes(name)))(
  'npm run $name has a help, and refuses unknown options, unless another program knows them',
  ({ name, program }) => {
    const source = readFileSync(join(project, program), 'utf8');
    expect(source).toMatch(new RegExp(`^const usage = \`npm run ${name}\\b`, 'm'));
    expect(source).toMatch(/readCommandLine\(\s*usage,\s*\{|^showHelp\(usage\)/m);
  },
);

test('the help has the exit code 0, and an incorrect command line 2', async () => {
  const program = 'bin/invoke.ts';
  expect(await Promise.all(['--help', '--hlep'].map((option) => run(program, option)))).toEqual([
    { code: 0, stdout: expect.stringMatching(/^npm run invoke -- <function> <event file>\n\n/), stderr: '' },
    {
      code: 2,
      stdout: '',
      stderr: 'Unknown option "--hlep". Did you mean "--help"? Run npm run invoke -- --help for the usage.\n',
    },
  ]);
});
