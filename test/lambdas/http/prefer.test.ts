import fc from 'fast-check';
import { preferenceApplied } from '../../../lambdas/http/prefer.ts';
import { prefersAsync } from '../../../lambdas/http/respond-async.ts';
import { requestWith } from '../../support/prefer.ts';

describe('prefersAsync', () => {
  test.each([
    'Respond-Async',
    ' \trespond-async\t ',
    ', ,respond-async,,',
    'respond-async;',
    'respond-async; ; x',
    'respond-async;x=1;y="a, b"',
    'respond-async ; x = 1',
    'respond-async=""',
    'respond-async = ""; x=1',
    'respond-async, respond-async=no',
    'note=a b, respond-async',
    'no"te, respond-async", respond-async',
    '=x, respond-async',
    'note="\xe9", respond-async',
  ])('returns true for %j', (prefer) => {
    expect(prefersAsync(requestWith(prefer))).toBe(true);
  });

  test.each([
    'respond-asynchronously',
    'return=respond-async',
    'respond async',
    'note; respond-async',
    'note="x, respond-async',
    'note="x, respond-async\\',
    '"respond-async"',
    'respond-async=',
    'respond-async; =1',
    'respond-async; x="',
    'respond-async="no"',
    'respond-async=no, respond-async',
  ])('returns false for %j', (prefer) => {
    expect(prefersAsync(requestWith(prefer))).toBe(false);
  });

  test('returns true for respond-async after any other preference with any quoted value', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ',', ';', '=', ' ', '"', '\\') }), (text) => {
        const quoted = `"${text.replace(/["\\]/g, '\\$&')}"`;
        expect(prefersAsync(requestWith(`note=${quoted}; x=${quoted}, respond-async`))).toBe(true);
        expect(prefersAsync(requestWith(`note=${quoted}; x=${quoted}`))).toBe(false);
      }),
    );
  });
});

test.each([
  [['respond-async', 'return=minimal'], { 'Preference-Applied': 'respond-async, return=minimal' }],
  [[false, 'return=minimal'], { 'Preference-Applied': 'return=minimal' }],
  [[false], {}],
] as const)('preferenceApplied returns for the preferences %j the header %j', (preferences, applied) => {
  expect(preferenceApplied(...preferences)).toEqual(applied);
});
