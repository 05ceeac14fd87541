import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { endpoint, endpointWithBody } from '../../../lambdas/http/endpoint.ts';
import { Problem } from '../../../lambdas/http/problem.ts';
import { context, sampleEvent } from '../../../tools/invocation.ts';
import { invoke } from '../../support/invoke.ts';

const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
beforeEach(() => void logged.mockClear());

const succeeding = endpoint(async () => ({ status: 200, body: { id: '1' } }));

test('A JSON document and a problem end with a newline, and an empty body stays empty', async () => {
  const failing = endpoint(async () => {
    throw new Problem('dog-not-found', 'It failed.');
  });
  const empty = endpoint(async () => ({ status: 204 }));
  const bodies = await Promise.all([succeeding, failing, empty].map((handler) => invoke(handler, 'GetDog')));
  expect(bodies.map(({ body }) => body)).toEqual([
    '{"id":"1"}\n',
    expect.stringMatching(/^\{"type":".*\}\n$/),
    '',
  ]);
});

test.each([
  ['dog-not-found', 404, 0],
  ['invalid-body', 422, 0],
  ['internal-error', 500, 1],
  ['service-unavailable', 503, 1],
] as const)('A failure of the type %s and the status %i is logged %i times', async (type, status, times) => {
  const failing = endpoint(async () => {
    throw new Problem(type, 'It failed.');
  });
  expect((await invoke(failing, 'GetDog')).json()).toMatchObject({ status, detail: 'It failed.' });
  expect(logged).toHaveBeenCalledTimes(times);
});

test('A request that takes too long returns 503 before the timeout, with the detail that its effect is unknown', async () => {
  const endless = endpoint(() => new Promise(() => {}));
  expect((await invoke(endless, 'GetDog', { remaining: 2_020 })).json()).toMatchObject({
    status: 503,
    detail:
      'The service did not respond in time. The request may have taken effect. Before you send it again, check whether it took effect.',
  });
});

const withBody = endpointWithBody(
  { schema: v.looseObject({}), empty: {}, acceptHeader: 'Accept' },
  async () => ({ status: 200 }),
);
const { requestContext, ...sample } = sampleEvent('PostBarks');
const event = { ...sample, requestContext: { ...requestContext, extendedRequestId: '' } };

test.each([
  ['an endpoint', succeeding, event],
  ['an endpoint with an empty body', withBody, { ...event, body: null }],
])('The event of API Gateway is not changed by %s', async (_, handler, sent) => {
  const before = structuredClone(sent);
  expect(await handler(sent as APIGatewayProxyEvent, context())).toMatchObject({ statusCode: 200 });
  expect(sent).toEqual(before);
});

describe('A request whose method the client may have overridden', () => {
  const route = jest.fn(async () => ({ status: 200 }));
  const withBody = endpointWithBody({ schema: v.looseObject({}), acceptHeader: 'Accept' }, route);

  test.each([
    ['endpoint', endpoint(route)],
    ['endpointWithBody', withBody],
  ])('returns 400 from an %s without a call of the route', async (_, handler) => {
    const headers = { 'X-HTTP-Method-Override': 'DELETE' };
    const response = await invoke(handler, 'PutDog', { body: '{}', headers });
    expect(response.statusCode).toBe(400);
    expect(response.headers).toMatchObject({ 'Content-Type': 'application/problem+json' });
    expect(response.json()).toMatchObject({
      status: 400,
      detail:
        'The request has an X-HTTP-Method-Override header. Remove the header, and send the request with the intended method.',
    });
    expect(route).not.toHaveBeenCalled();
  });
});
