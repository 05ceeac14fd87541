import { Unavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { isOutage, isThrottled, unavailableIfOutage } from '../../../../lambdas/domain/platform/outage.ts';

test.each<[string, boolean, boolean, object]>([
  ['a throttled write of DynamoDB', true, true, { name: 'ProvisionedThroughputExceededException' }],
  ['an exceeded limit of DynamoDB', true, true, { name: 'RequestLimitExceeded' }],
  ['a throttled request of SES', true, true, { name: 'Throttling' }],
  ['a throttled request', true, true, { name: 'ThrottlingException' }],
  ['too many requests', true, true, { name: 'TooManyRequestsException' }],
  ['the status 429', true, true, { $metadata: { httpStatusCode: 429 } }],
  ['a fault of the server', false, true, { $fault: 'server' }],
  ['the status 500', false, true, { $metadata: { httpStatusCode: 500 } }],
  ['the status 499', false, false, { $metadata: { httpStatusCode: 499 } }],
  ['an aborted request', false, true, { name: 'AbortError' }],
  ['a timeout', false, true, { name: 'TimeoutError' }],
  ['a network error', false, true, { code: 'ECONNRESET' }],
  ['an error of fetch', false, true, { code: 'UND_ERR_SOCKET' }],
  ['an error of Node', false, false, { code: 'ERR_INVALID_ARG_TYPE' }],
  ['a refused request', false, false, { name: 'ValidationException', $fault: 'client' }],
  ['another error', false, false, new TypeError('x is undefined')],
])('isThrottled and isOutage recognize %s: throttled %p, outage %p', (_, throttled, outage, error) => {
  expect([isThrottled(error), isOutage(error)]).toEqual([throttled, outage]);
  const result = unavailableIfOutage('The service', error);
  expect(outage ? result instanceof Unavailable : result === error).toBe(true);
});

test('unavailableIfOutage returns an error that names the service, with the original error as the cause', () => {
  const cause = { name: 'AbortError' };
  const message = 'DynamoDB is overloaded or unreachable. Send the request again later.';
  expect(unavailableIfOutage('DynamoDB', cause)).toMatchObject({ message, cause });
});
