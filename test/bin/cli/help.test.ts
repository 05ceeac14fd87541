import { spawnSync } from 'node:child_process';
import { sections } from '../../../bin/cli/command-tree.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { runInProcess } from '../../support/command-line.ts';
import { withRemedy } from '../../support/remedy.ts';
import { namesOf } from './runner.ts';

const topLevel = sections.flatMap(({ commands = {}, groups = {} }) =>
  Object.keys({ ...commands, ...groups }),
);

/** The help of each command, in one snapshot file. Read it there to judge the command line. */
const commands = [...new Set(['', ...topLevel, ...sections.flatMap(namesOf), 'complete'])];

describe('--help', () => {
  test.each(commands)('of "dogs %s" is printed to standard output', async (command) => {
    const { code, stdout, stderr } = await runInProcess([...command.split(' ').filter(Boolean), '--help']);
    expect([code, stderr]).toEqual([0, '']);
    withRemedy('Review the change of the help. Then run npm run test:unit -- -u test/bin/cli', () => {
      expect(stdout).toMatchSnapshot();
    });
  });

  test.each(['', 'access'])(
    'is printed to standard error for "dogs %s", with exit code 2',
    async (command) => {
      const args = command.split(' ').filter(Boolean);
      const { stdout: help } = await runInProcess([...args, '--help']);
      expect(await runInProcess(args)).toMatchObject({ code: 2, stdout: '', stderr: help });
    },
  );
});

describe('complete', () => {
  test.each<[string[], string[]]>([
    [[''], [...topLevel, 'complete']],
    [
      ['credentials', ''],
      ['list', 'get', 'put', 'move'],
    ],
    // @extension cli {
    [
      ['create', 'rex', '--bark-handling', ''],
      ['sync', 'async'],
    ],
    // @extension cli }
  ])('returns the words that complete %j', async (words, expected) => {
    const { stdout } = await runInProcess(['complete', '--', ...words]);
    const lines = stdout.trim().split('\n');
    expect(lines.filter((line) => !line.startsWith(':')).map((line) => line.split('\t')[0])).toEqual(
      expected,
    );
  });

  test.each(['bash', 'zsh', 'fish', 'powershell'])('prints the script for %s', async (shell) => {
    const { code, stdout } = await runInProcess(['complete', shell]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/dogs complete '?--/)]);
  });

  test('leaves console.log as it was, even for an unknown shell', async () => {
    const { log } = console;
    expect((await runInProcess(['complete', 'tcsh'])).code).toBe(2);
    expect(console.log).toBe(log);
  });

  (process.platform === 'win32' ? test.skip : test)(
    'prints a script that bash can source twice',
    async () => {
      const { stdout: input } = await runInProcess(['complete', 'bash']);
      const { status, stderr } = spawnSync('bash', ['-e'], { input: `${input}\n${input}`, encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    },
  );
});

test('--version prints the version of the package', async () => {
  expect(await runInProcess(['--version'])).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
});
