import { allOf, type Bark, documentOf, header, type Problem } from '../../support/client.ts';
import { client, useService } from '../support.ts';

useService({ environment: { CONCURRENT_EXECUTIONS: '2' } });

test('an account with few concurrent executions returns 503 with Retry-After, and no dog barks twice', async () => {
  expect((await client.put('/v1/dogs/rex/', { barkEffects: ['record'] })).status).toBe(201);
  const responses = await Promise.all(Array.from({ length: 30 }, () => client.post('/v1/dogs/rex/barks')));
  const made = responses.filter(({ status }) => status === 201);
  const refused = responses.filter(({ status }) => status !== 201);
  expect(made.length).toBeGreaterThan(0);
  expect(refused.length).toBeGreaterThan(0);
  for (const response of refused) {
    expect([response.status, header(response, 'Retry-After')]).toEqual([503, '1']);
    expect(documentOf<Problem>(response).title).toBe('Service Unavailable');
  }
  const barks = await allOf<Bark>(client, '/v1/dogs/rex/barks');
  expect(barks).toHaveLength(made.length);
});
