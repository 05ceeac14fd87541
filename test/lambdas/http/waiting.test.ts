import { waitSeconds } from '../../../lambdas/http/waiting.ts';
import { requestWith } from '../../support/prefer.ts';

describe('waitSeconds', () => {
  test.each([
    ['Wait = 10', 10],
    ['wait="1\\0"', 10],
    ['wait=007', 7],
    ['wait=5, wait=10', 5],
    ['wait=21', 20],
    [`wait=${'9'.repeat(400)}`, 20],
  ])('returns for %j the wait of %i seconds', (prefer, seconds) => {
    expect(waitSeconds(requestWith(prefer))).toBe(seconds);
  });

  test.each([undefined, 'wait', 'wait=-1', 'wait=0x10', 'wait=" 10"', 'wait=10s', 'wait=ten, wait=10'])(
    'returns 0 for %j',
    (prefer) => {
      expect(waitSeconds(requestWith(prefer))).toBe(0);
    },
  );
});
