import type { APIGatewayProxyEvent } from 'aws-lambda';
import { baseUrlOf, requestOf } from '../../../lambdas/http/request.ts';
import { context, sampleEvent } from '../../../tools/invocation.ts';

const { signal } = new AbortController();

test('the user is the one that the authorizer named', () => {
  expect(requestOf(sampleEvent('PostBarks'), undefined, context(), signal).user).toBe('dog-lover');
});

test.each<[string, object, string | undefined]>([
  ['joins repeated headers', { multiValueHeaders: { Prefer: ['a', 'b'], prefer: ['c'] } }, 'a, b, c'],
  [
    'ignores the last values if there are all values',
    { headers: { Prefer: 'b' }, multiValueHeaders: { Prefer: ['a', 'b'] } },
    'a, b',
  ],
  ['joins the last values if there are only these', { headers: { Prefer: 'a', prefer: 'c' } }, 'a, c'],
  [
    'returns undefined without the header',
    { headers: null, multiValueHeaders: { Preferred: ['a'] } },
    undefined,
  ],
])('header() %s', (_, fields, expected) => {
  const event = { ...sampleEvent('PostBarks'), headers: {}, multiValueHeaders: null, ...fields };
  const request = requestOf(event as unknown as APIGatewayProxyEvent, undefined, context(), signal);
  expect(request.header('Prefer')).toBe(expected);
});

test('query() returns the last of several values', () => {
  const queryStringParameters = { limit: '2' };
  const event = { ...sampleEvent('ListDogs'), queryStringParameters };
  expect(requestOf(event, undefined, context(), signal).query('limit')).toBe('2');
});

describe('baseUrl', () => {
  function baseUrlWith(requestContext: object, headers: Record<string, string> = {}): string {
    const event = sampleEvent<APIGatewayProxyEvent>('PostBarks');
    const changed = {
      ...event,
      multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
      requestContext: { ...event.requestContext, ...requestContext },
    };
    return requestOf(changed, undefined, context(), signal).baseUrl;
  }

  test('has the domain name of the event, and not the host of a header', () => {
    const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' };
    expect(baseUrlWith({}, headers)).toBe('https://abc123defg.execute-api.us-east-1.amazonaws.com/prod');
  });

  test.each([undefined, null, ''])(
    'is only a path if the domain name is %s, even if headers have a host',
    (domainName) => {
      const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' };
      expect(baseUrlWith({ domainName }, headers)).toBe('/prod');
      expect(baseUrlWith({ domainName, path: '/v1/dogs/record-sync/barks' }, headers)).toBe('');
    },
  );

  test.each([
    ['http', 'http:'],
    ['gopher', 'https:'],
    ['https, http', 'https:'],
    ['\r\nX-Injected: yes', 'https:'],
  ])('has a valid scheme for the header X-Forwarded-Proto: %j: %s', (scheme, protocol) => {
    expect(new URL(baseUrlWith({}, { 'X-Forwarded-Proto': scheme })).protocol).toBe(protocol);
  });

  test.each([
    ['/prod/v1/dogs/rex/walk', 'v1/dogs/rex/walk'],
    ['/prod/v1/dogs/rex/walk/', 'v1/dogs/rex/walk/'],
    ['/prod/', ''],
  ])('does not have any part of the greedy path of %s', (path, proxy) => {
    const event = sampleEvent<APIGatewayProxyEvent>('Fallback');
    const requestContext = { ...event.requestContext, path };
    expect(baseUrlOf({ ...event, requestContext, pathParameters: { proxy } })).toBe(
      'https://abc123defg.execute-api.us-east-1.amazonaws.com/prod',
    );
  });

  test.each(['//', '/\\'])('never begins with %s, because a host would follow', (start) => {
    const path = `${start}evil.example/v1/dogs/record-sync/barks`;
    expect(baseUrlWith({ domainName: undefined, path })).toBe('/evil.example');
  });
});
