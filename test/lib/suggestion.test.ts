import { suggestionFor } from '../../lib/suggestion.ts';

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
