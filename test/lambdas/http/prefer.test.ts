import fc from 'fast-check';
import { accepted, prefersAsync } from '../../../lambdas/http/prefer.ts';
import type { Request } from '../../../lambdas/http/request.ts';

function requestWith(prefer: string | undefined): Request {
  return { header: (name: string) => (name === 'Prefer' ? prefer : undefined) } as unknown as Request;
}

describe('prefersAsync', () => {
  test.each([
    'respond-async',
    'Respond-Async',
    ' \trespond-async\t ',
    'wait=5, respond-async',
    'respond-async , wait=5',
    ', ,respond-async,,',
    'respond-async;',
    'respond-async; ; x',
    'respond-async;x=1;y="a, b"',
    'respond-async ; x = 1',
    'respond-async=""',
    'respond-async = ""; x=1',
    'respond-async, respond-async=no',
    'note="a \\" b", respond-async',
    'note="a \\\\", respond-async',
    'note=a b, respond-async',
    'no"te, respond-async", respond-async',
    '=x, respond-async',
    'note="\xe9", respond-async',
  ])('returns true for %j', (prefer) => {
    expect(prefersAsync(requestWith(prefer))).toBe(true);
  });

  test.each([
    undefined,
    '',
    ',',
    'respond-asynchronously',
    'return=respond-async',
    'respond async',
    'note; respond-async',
    'note="x, respond-async, y"',
    'note="x\\", respond-async, y"',
    'note; x="y, respond-async"',
    'note="x, respond-async',
    'note="x, respond-async\\',
    '"respond-async"',
    'respond-async x',
    'respond-async=',
    'respond-async; =1',
    'respond-async; x="',
    'respond-async=no',
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

describe('accepted', () => {
  test.each([
    ['respond-async', 'respond-async'],
    ['note="x, respond-async, y"', undefined],
  ])('has for Prefer: %s the Preference-Applied %s', (prefer, applied) => {
    expect(accepted(requestWith(prefer), '/barks/1').headers?.['Preference-Applied']).toBe(applied);
  });
});
