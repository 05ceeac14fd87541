import { basic } from '../support/client.ts';
import { access, service } from './support.ts';

const { username } = access;

test('accepts the scheme in upper and lower case', async () => {
  const Authorization = service.authorization.replace('Basic', 'bASIC');
  expect((await service.get('/v1/dogs/', { Authorization })).status).toBe(200);
});

test('refuses wrong credentials after a request with correct ones', async () => {
  for (const [Authorization, status] of [
    [service.authorization, 200],
    [basic(username, 'wrong'), 401],
    [service.authorization, 200],
  ] as const)
    expect((await service.get('/v1/dogs/', { Authorization })).status).toBe(status);
});
