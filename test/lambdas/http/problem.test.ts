import {
  InvalidCursor,
  KeyReused,
  RequestInProgress,
  StateMismatch,
} from '../../../lambdas/domain/platform/errors.ts';
import { problemOf } from '../../../lambdas/http/problem.ts';

describe('problemOf', () => {
  test.each([
    [
      new InvalidCursor(),
      400,
      'This list did not return the value of "after". Use the URL in its Link header with rel="next".',
    ],
    [
      new StateMismatch('rex'),
      412,
      'The dog "rex" does not meet the precondition of the request (If-Match, If-None-Match or If-Unmodified-Since). GET the dog again.',
    ],
    [new KeyReused(), 422, 'This Idempotency-Key was sent with another request. Give each request its own.'],
  ])('returns a problem for the client: %p', (error, status, detail) => {
    expect(problemOf(error)).toMatchObject({ status, message: detail, headers: {}, cause: error });
  });

  test('returns the waiting time in seconds if a request is in progress', () => {
    expect(problemOf(new RequestInProgress(7))).toMatchObject({
      status: 409,
      message: 'The request of this Idempotency-Key is under way. Send it again a little later.',
      headers: { 'Retry-After': '7' },
    });
  });
});
