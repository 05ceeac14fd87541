import { parseArgs } from 'node:util';
import { commandLineProblem, suggestionFor } from '../../lib/suggestion.ts';

describe('suggestionFor', () => {
  const names = ['stage', 'tags', 'tracing', 'queues get'];

  test.each([
    ['stgae', 'stage'],
    ['STAGE', 'stage'],
    ['Stages', 'stage'],
    ['traceing', 'tracing'],
    ['queue get', 'queues get'],
  ])('for %s, suggests the name %s', (unknown, name) => {
    expect(suggestionFor(unknown, names)).toBe(` Did you mean "${name}"?`);
  });

  test.each(['', 'x', 'dog', 'deletion'])('for "%s", suggests nothing', (unknown) => {
    expect(suggestionFor(unknown, names)).toBe('');
  });

  test('suggests nothing if there are no names', () => {
    expect(suggestionFor('stage', [])).toBe('');
  });
});

describe('commandLineProblem', () => {
  const options = { json: { type: 'boolean' }, stack: { type: 'string' } } as const;
  const problemOf = (...args: string[]) => {
    try {
      return parseArgs({ args, options });
    } catch (error) {
      return commandLineProblem(error as Error, Object.keys(options));
    }
  };

  test.each([
    [['--jsn'], 'Unknown option "--jsn". Did you mean "--json"?'],
    [['--port', '4000'], 'Unknown option "--port".'],
    [['-x'], 'Unknown option "-x".'],
    [['--stack'], "Option '--stack <value>' argument missing."],
    [['--json=1'], "Option '--json' does not take an argument."],
    [['dog'], "Unexpected argument 'dog'."],
  ])('for %j, returns one sentence and any suggestion', (args, problem) => {
    expect(problemOf(...args)).toBe(problem);
  });
});
