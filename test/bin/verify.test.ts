import { main } from '../../bin/verify/main.ts';

async function run(...args: string[]): Promise<{ code: number; printed: string }> {
  let printed = '';
  const print = (text: string) => {
    printed += text;
  };
  const code = await main(args, { print, printError: print, showProgress: () => () => {} });
  return { code, printed };
}

test.each([
  [
    'an unknown option',
    ['--stgae', 'test'],
    'Unknown option "--stgae". Did you mean "--stage"? Run npm run verify -- --help',
  ],
  ['two stages', ['--stage', 'test', '--stage', 'prod'], 'Use the option "--stage" only once.'],
  ['an option without a value', ['--stage'], "Option '--stage <value>' argument missing."],
  ['an empty URL', ['--url='], '--url must be the URL of a service, but is "".'],
  ['a URL with control characters', ['--url', '\u001b[2J'], 'but is "\u{fffd}[2J".'],
  ['no time to wait', ['--wait', '0'], '--wait must be a number of minutes, but is "0".'],
])('npm run verify refuses %s', async (_, args, text) => {
  expect(await run(...args)).toEqual({ code: 2, printed: expect.stringContaining(text) });
});

test('npm run verify -- --help prints the usage', async () => {
  expect(await run('--help')).toEqual({ code: 0, printed: expect.stringMatching(/^npm run verify -- /) });
});
