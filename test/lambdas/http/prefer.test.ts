import fc from 'fast-check';
import { preferenceApplied, prefersAsync, waitLimits } from '../../../lambdas/http/prefer.ts';
import type { Request } from '../../../lambdas/http/request.ts';

function requestWith(prefer: string | undefined): Request {
  return {
    baseUrl: 'https://dogs.example.com',
    header: (name: string) => (name === 'Prefer' ? prefer : undefined),
  } as unknown as Request;
}

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

describe('waitLimits', () => {
  const secondsOf = (prefer: string | undefined) => waitLimits(requestWith(prefer)).seconds;

  test.each([
    ['Wait = 10', 10],
    ['wait="1\\0"', 10],
    ['wait=007', 7],
    ['wait=5, wait=10', 5],
    ['wait=21', 20],
    [`wait=${'9'.repeat(400)}`, 20],
  ])('has for %j the wait of %i seconds', (prefer, seconds) => {
    expect(secondsOf(prefer)).toBe(seconds);
  });

  test.each([undefined, 'wait', 'wait=-1', 'wait=0x10', 'wait=" 10"', 'wait=10s', 'wait=ten, wait=10'])(
    'has no wait for %j',
    (prefer) => {
      expect(secondsOf(prefer)).toBe(0);
    },
  );
});

test.each([
  ['wait="100", respond-async', { 'Preference-Applied': 'respond-async, wait=20' }],
  ['wait=x, respond-async', { 'Preference-Applied': 'respond-async' }],
  ['return=minimal', {}],
])('preferenceApplied returns for Prefer: %s the header %j', (prefer, applied) => {
  expect(preferenceApplied(requestWith(prefer), 'respond-async', 'wait')).toEqual(applied);
});
