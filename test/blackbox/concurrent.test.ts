import { type ApiResponse, allOf, type Bark, dogAt, header } from '../support/client.ts';
import { service, testDogs } from './support.ts';

const requests = 200;

describe(`${requests} concurrent POSTs to one dog`, () => {
  let dog: string;
  let responses: ApiResponse[];
  let recorded: string[];
  let barks: Bark[];

  beforeAll(async () => {
    dog = await testDogs.newDog();
    responses = await Promise.all(
      Array.from({ length: requests }, () => service.sendOnce('POST', `${dog}barks`)),
    );
    recorded = responses
      .filter(({ status }) => status === 201)
      .map((response) => header(response, 'Location'))
      .sort();
    barks = await allOf<Bark>(service, `${dog}barks?limit=100`);
  });

  test('each succeed, or return 429 or 503 with Retry-After', () => {
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expect([429, 503]).toContain(response.status);
      expect(Number(header(response, 'Retry-After'))).toBeGreaterThan(0);
    }
    expect(recorded.length).toBeGreaterThan(0);
  });

  test('each record one bark and count once', async () => {
    const listed = barks.map(({ id }) => `${service.baseUrl}${dog}barks/${id}`).sort();
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).toEqual(expect.arrayContaining(recorded));
    expect((await dogAt(service, dog)).barkCount).toBe(listed.length);
    // If the response is 503, the bark may still be complete. A throttled request creates no bark.
    const unknown = responses.filter(({ status }) => status === 503).length;
    expect(listed.length).toBeLessThanOrEqual(recorded.length + unknown);
  });
});
