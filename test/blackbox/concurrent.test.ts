import { type ApiResponse, allOf, type Bark, dogAt, header } from '../support/client.ts';
import { service, testDogs } from './support.ts';

const requests = 200;

describe(`${requests} concurrent POSTs to one dog`, () => {
  let dog: string;
  let responses: ApiResponse[];
  let recorded: string[];
  let barks: Bark[];
  let counts: [before: number, after: number];

  beforeAll(async () => {
    dog = await testDogs.newDog();
    responses = await Promise.all(
      Array.from({ length: requests }, () => service.sendOnce('POST', `${dog}barks`)),
    );
    recorded = responses
      .filter(({ status }) => status === 201)
      .map((response) => header(response, 'Location'))
      .sort();
    // After a 503, the function may still perform its bark.
    const { barkCount: before } = await dogAt(service, dog);
    barks = await allOf<Bark>(service, `${dog}barks?limit=100`);
    const { barkCount: after } = await dogAt(service, dog);
    counts = [before, after];
  });

  test('each succeed, or return 429 or 503 with Retry-After', () => {
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expect([429, 503]).toContain(response.status);
      expect(Number(header(response, 'Retry-After'))).toBeGreaterThan(0);
    }
    expect(counts[1]).toBeGreaterThan(0);
  });

  test('each record one bark and count once', async () => {
    const listed = barks.map(({ id }) => `${service.baseUrl}${dog}barks/${id}`).sort();
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).toEqual(expect.arrayContaining(recorded));
    expect(listed.length).toBeGreaterThanOrEqual(counts[0]);
    expect(listed.length).toBeLessThanOrEqual(counts[1]);
    // A throttled request creates no bark.
    const unknown = responses.filter(({ status }) => status === 503).length;
    expect(listed.length).toBeLessThanOrEqual(recorded.length + unknown);
  });
});
