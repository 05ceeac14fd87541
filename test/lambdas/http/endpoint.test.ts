import { jest } from '@jest/globals';
import { endpoint } from '../../../lambdas/http/endpoint.ts';
import { Problem } from '../../../lambdas/http/problem.ts';
import { invoke } from '../../support/invoke.ts';

const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
beforeEach(() => void logged.mockClear());

const answering = endpoint(async () => ({ status: 200, body: { id: '1' } }));

test('An answer is kept by nobody, and is of the type that it says', async () => {
  expect((await invoke(answering, 'GetDog')).headers).toMatchObject({
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json',
    'X-Content-Type-Options': 'nosniff',
  });
});

test('An answer to HEAD has the fields of one to GET, and no body', async () => {
  const [get, head] = await Promise.all(
    ['GET', 'HEAD'].map((httpMethod) => invoke(answering, 'GetDog', { httpMethod })),
  );
  expect(head).toEqual({ ...get, body: '', json: expect.any(Function) });
  expect(get?.json()).toEqual({ id: '1' });
});

test.each([
  [404, 0],
  [499, 0],
  [500, 1],
  [503, 1],
])('A failure of status %i is logged %i times', async (status, times) => {
  const failing = endpoint(async () => {
    throw new Problem(status, 'It failed.');
  });
  expect((await invoke(failing, 'GetDog')).json()).toMatchObject({ status, detail: 'It failed.' });
  expect(logged).toHaveBeenCalledTimes(times);
});

test('A request that takes too long is answered while there is time, and says that nobody knows', async () => {
  const endless = endpoint(() => new Promise(() => {}));
  expect((await invoke(endless, 'GetDog', { remaining: 2_020 })).json()).toMatchObject({
    status: 503,
    detail: 'The service did not finish in time. Whether the request took effect is not known.',
  });
});
