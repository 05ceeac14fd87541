import { parseCommandLine } from '../../lib/command-line.ts';

const options = {
  stage: { type: 'string', short: 's' },
  seed: { type: 'string', multiple: true },
  check: { type: 'boolean' },
} as const;

describe('a command line', () => {
  test('contains options and, if they are permitted, parameters', () => {
    const { values, positionals } = parseCommandLine(
      ['--stage=test', '--check', '--check', 'a'],
      options,
      true,
    );
    expect([{ ...values }, positionals]).toEqual([{ stage: 'test', check: true }, ['a']]);
    expect(parseCommandLine(['--seed', '1', '--seed', '2'], options).values.seed).toEqual(['1', '2']);
  });

  test.each([
    [['--stgae', 'test'], 'Unknown option "--stgae". Did you mean "--stage"?'],
    [['-x'], 'Unknown option "-x".'],
    [['--stage'], "Option '-s, --stage <value>' argument missing."],
    [['--check=yes'], "Option '--check' does not take an argument."],
    [['a'], "Unexpected argument 'a'."],
    [['--stage', 'test', '--stage', 'prod'], 'Use the option "--stage" only once.'],
    [['--stage', 'test', '-s', 'prod'], 'Use the option "--stage" only once.'],
  ])('%j is refused', (args, message) => {
    expect(() => parseCommandLine(args, options)).toThrow(new Error(message));
  });
});
