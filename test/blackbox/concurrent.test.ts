import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ApiResponse,
  allOf,
  type Bark,
  documentOf,
  dogAt,
  eventually,
  type Fields,
  header,
  nextOf,
} from '../support/client.ts';
import { timeOf } from '../support/time.ts';
import {
  access,
  canReadMail,
  essence,
  httpDate,
  mailsTo,
  passTime,
  service,
  settled,
  simulatedAddress,
  testDogs,
  testWithMail,
  timeOfService,
  windowSeconds,
} from './support.ts';

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

  test('are listed on pages of 100 barks', async () => {
    const response = await service.get(`${dog}barks?limit=100`);
    expect(documentOf(response)).toEqual({ barks: barks.slice(0, 100) });
    expect(nextOf(response) !== undefined).toBe(barks.length >= 100);
  });

  test('leave the times of the latest 100 barks in the history, the oldest first', async () => {
    const previous = (await dogAt(service, dog)).barks?.previous ?? [];
    expect(previous).toEqual(
      barks
        .slice(0, 100)
        .map(({ timestamp }) => timestamp)
        .reverse(),
    );
  });
});

/** Sends a request several times concurrently, and returns the statuses in ascending order. @param ask receives the number of the request, from 1 */
async function statusesOf(times: number, ask: (n: number) => Promise<ApiResponse>): Promise<number[]> {
  const responses = await Promise.all(Array.from({ length: times }, (_, n) => ask(n + 1)));
  return responses.map(({ status }) => status).sort();
}

const inAnHour = async () => (await timeOfService()) + 3600;
const tagAt = async (path: string) => header(await service.get(path), 'ETag');
const barksOf = async (dog: string) => (await dogAt(service, dog)).barks;

describe('Concurrent PUTs', () => {
  const put = (path: string, fields: Fields) =>
    statusesOf(5, (n) => service.put(path, { email: `put${n}@example.com` }, fields));

  test('create the dog once if each requires that it does not exist', async () => {
    expect(await put(testDogs.newPath(), { 'If-None-Match': '*' })).toEqual([201, 412, 412, 412, 412]);
  });

  test('replace the dog once if each requires the state that it has read', async () => {
    const path = await testDogs.newDog();
    expect(await put(path, { 'If-Match': await tagAt(path) })).toEqual([204, 412, 412, 412, 412]);
  });
});

describe('Concurrent POSTs to /v1/dogs/{id}/bark-schedule', () => {
  const post = (dog: string, document: object, fields?: Fields) =>
    service.post(`${dog}bark-schedule`, document, fields);

  test('with one token, 50 times, each return 205 and make the dog bark once', async () => {
    const dog = await testDogs.newDog();
    const statuses = await statusesOf(50, () => post(dog, { token: 7, next: 0, frequency: 10 }));
    expect(statuses).toEqual(Array(50).fill(205));
    expect((await dogAt(service, dog)).barkCount).toBe(1);
    expect(await allOf(service, `${dog}barks`)).toHaveLength(1);
  });

  test('with several tokens each return 205, and each makes the dog bark once', async () => {
    const dog = await testDogs.newDog();
    const statuses = await statusesOf(5, (token) => post(dog, { token, next: 0, frequency: 10 }));
    expect(statuses).toEqual(Array(5).fill(205));
    const { barkCount, barks } = await dogAt(service, dog);
    expect([barkCount, barks?.previous.length]).toEqual([5, 5]);
    const schedule = documentOf(await service.get(`${dog}bark-schedule`));
    expect(schedule).toEqual({ last: barks?.previous.at(-1), next: barks?.next });
  });

  test.each([
    ['one token', () => 7, [205, 422, 422, 422]],
    ['different tokens', (n: number) => n, [205, 205, 205, 205]],
  ])('with %s and different content store one schedule', async (_, tokenOf, expected) => {
    const dog = await testDogs.newDog();
    const hour = await inAnHour();
    const documentAt = (n: number) => ({ next: hour + n * 60, frequency: n });
    expect(await statusesOf(4, (n) => post(dog, { token: tokenOf(n), ...documentAt(n) }))).toEqual(expected);
    const { next = 0, frequency = 0 } = (await barksOf(dog)) ?? {};
    expect([1, 2, 3, 4]).toContain(frequency);
    expect(await barksOf(dog)).toEqual({ previous: [], ...documentAt(frequency) });
    expect(documentOf(await service.get(`${dog}bark-schedule`))).toEqual({ last: null, next });
  });

  test('and a PATCH each return 205, and one schedule is stored', async () => {
    const dog = await testDogs.newDog();
    const hour = await inAnHour();
    // The date is in the future, so the POST does not make the PATCH return 403.
    const fields = { 'If-Unmodified-Since': httpDate(hour - 3600 + 240) };
    const [posted, patched] = await Promise.all([
      post(dog, { token: 1, next: hour + 60, frequency: 1 }),
      service.patch(dog, { barks: { next: hour + 120, frequency: 2 } }, fields),
    ]);
    expect([posted.status, patched.status]).toEqual([205, 205]);
    const { next = 0, frequency = 0 } = (await barksOf(dog)) ?? {};
    expect([1, 2]).toContain(frequency);
    expect(next).toBe(hour + frequency * 60);
  });

  test('replace the schedule that each client has read once', async () => {
    const dog = await testDogs.newDog();
    const document = { next: await inAnHour(), frequency: 10 };
    await post(dog, { token: 1, ...document });
    const fields = { 'If-Match': await tagAt(`${dog}bark-schedule`) };
    expect(await statusesOf(3, (n) => post(dog, { token: n + 1, ...document }, fields))).toEqual([
      205, 412, 412,
    ]);
  });
});

describe('Concurrent PATCHes', () => {
  test('return one 205 and make the dog bark once if the same patch is sent 50 times', async () => {
    const email = simulatedAddress();
    const dog = await testDogs.newDog({ email, barkEffects: ['emailDog', 'record'] });
    const fields = { 'If-Unmodified-Since': httpDate(await timeOfService()) };
    const body = { barks: { next: 0, frequency: 10 } };
    const statuses = await statusesOf(50, () => service.patch(dog, body, fields));
    expect(statuses).toEqual([...Array(49).fill(204), 205]);
    expect((await dogAt(service, dog)).barkCount).toBe(1);
    expect(await allOf(service, `${dog}barks`)).toHaveLength(1);
    if (canReadMail) expect(await mailsTo(email)).toHaveLength(1);
  });

  test('each return 205 if they differ, and one of them is stored', async () => {
    const dog = await testDogs.newDog();
    // The dates are in the future, so that no patch returns 403 because of another one.
    const ahead = (await timeOfService()) + 240;
    const fields = { 'If-Unmodified-Since': httpDate(ahead) };
    const patchAt = (n: number) => ({ next: ahead + n * 3600, frequency: n });
    const statuses = await statusesOf(5, (n) => service.patch(dog, { barks: patchAt(n) }, fields));
    expect(statuses).toEqual(Array(5).fill(205));
    const { frequency = 0 } = (await barksOf(dog)) ?? {};
    expect(await barksOf(dog)).toEqual({ previous: [], ...patchAt(frequency) });
  });
});

describe.each(['barks', 'bark'])(
  'Concurrent POSTs to /v1/dogs/{id}/%s with one Idempotency-Key',
  (resource) => {
    const send = (dog: string, key: string) =>
      service.post(`${dog}${resource}`, undefined, { 'Idempotency-Key': `"${key}"` });

    test('make the dog bark once, and return the same response', async () => {
      const dog = await testDogs.newDog();
      const key = crypto.randomUUID();
      const responses = await Promise.all(Array.from({ length: 10 }, () => send(dog, key)));
      for (const response of responses)
        expect(essence(response)).toEqual(responses[0] && essence(responses[0]));
      expect((await dogAt(service, dog)).barkCount).toBe(1);
      expect(await allOf(service, `${dog}barks`)).toHaveLength(1);
    });

    testWithMail('return 409 with Retry-After while the mail is sent, and then the result', async () => {
      const dog = await testDogs.newDog({ email: simulatedAddress(), barkEffects: ['emailDog', 'record'] });
      let rounds = 0;
      // Requests overlap in the service only by chance, so the test repeats the ten requests.
      await eventually(async () => {
        rounds += 1;
        const key = crypto.randomUUID();
        const responses = await Promise.all(Array.from({ length: 10 }, () => send(dog, key)));
        const last = await eventually(async () => {
          const response = await send(dog, key);
          expect(response.status).toBe(201);
          return response;
        });
        const conflicts = responses.filter(({ status }) => status === 409);
        for (const response of responses.filter((one) => !conflicts.includes(one)))
          expect(essence(response)).toEqual(essence(last));
        expect(conflicts.length).toBeGreaterThan(0);
        for (const response of conflicts) expect(Number(header(response, 'Retry-After'))).toBeGreaterThan(0);
      });
      expect((await dogAt(service, dog)).barkCount).toBe(rounds);
      expect(await allOf(service, `${dog}barks`)).toHaveLength(rounds);
    });
  },
);

describe('A bark with barkHandling async', () => {
  const asyncDog = () => testDogs.newDog({ barkHandling: 'async' });
  const accepted = async (dog: string) => header(await service.post(`${dog}barks`), 'Location');

  test('is either prevented by DELETE, or DELETE returns 409, for 40 barks around the end of their window', async () => {
    const dogs = await Promise.all(Array.from({ length: 40 }, asyncDog));
    const first = await timeOf(access);
    await settled(await accepted(await asyncDog()));
    const windowMs = (await timeOf(access)) - first;

    const began = await timeOf(access);
    const barks = await Promise.all(dogs.map(accepted));
    await passTime((began + windowMs - 150 - (await timeOf(access))) / 1000);
    const statuses = await Promise.all(
      barks.map(async (bark, n) => {
        await sleep(n * 5);
        return (await service.delete(bark)).status;
      }),
    );
    for (const [n, bark] of barks.entries()) {
      const { status: end } = documentOf<Bark>(await settled(bark));
      const { barkCount } = await dogAt(service, dogs[n] ?? '');
      expect([statuses[n], end, barkCount]).toEqual(
        statuses[n] === 204 ? [204, 'cancelled', 0] : [409, 'complete', 1],
      );
    }
  });

  test('ends the wait of a POST with 200 if another client cancels the bark in its window', async () => {
    const expectCancelled = async (resource: string) => {
      const dog = await asyncDog();
      const key = { 'Idempotency-Key': `"${crypto.randomUUID()}"` };
      const bark = header(await service.post(dog + resource, undefined, key), 'Location');
      const [response, deleted] = await Promise.all([
        service.post(dog + resource, undefined, { ...key, Prefer: 'wait=1000' }),
        service.delete(bark),
      ]);
      const applied = header(response, 'Preference-Applied');
      expect([response.status, deleted.status, applied]).toEqual([200, 204, 'wait=20']);
      expect(header(response, 'Content-Location')).toBe(bark);
      expect(documentOf(response)).toMatchObject({ status: 'cancelled', timestamp: null });
      expect(await dogAt(service, dog)).toMatchObject({ barkCount: 0, barking: false });
    };
    await Promise.all([expectCancelled('barks'), expectCancelled('bark')]);
  });

  test('ends a wait early if another client deletes the dog: 200 with the failed bark for a POST, 404 for a GET', async () => {
    const dog = await asyncDog();
    const bark = await accepted(dog);
    const began = performance.now();
    const [posted, read, deleted] = await Promise.all([
      service.post(`${dog}barks`, undefined, { Prefer: 'respond-async, wait=20' }),
      service.get(bark, { Prefer: 'wait=20' }),
      sleep(500).then(() => service.delete(dog)),
    ]);
    expect([posted.status, read.status, deleted.status]).toEqual([200, 404, 204]);
    expect(documentOf(posted)).toMatchObject({ status: 'failed', reason: 'The dog was deleted.' });
    expect(performance.now() - began).toBeLessThan(1_000 * (windowSeconds + 10));
  });
});
