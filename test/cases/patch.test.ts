import { longestFrequency, shortestFrequency } from '../../lambdas/contract/bark-schedule.ts';
import { type ApiResponse, documentOf, dogAt, header } from '../support/client.ts';
import {
  driverName,
  httpDate,
  passTime,
  patchBarks,
  service,
  stateOf,
  testDogs,
  timeOfService,
} from './service.ts';

const barksOf = async (dog: string) => (await dogAt(service, dog)).barks;

/** Patches `barks`. `since` is the date of the request in Unix seconds, or any other text. */
function patchWith(dog: string, since: number | string, barks: unknown): Promise<ApiResponse> {
  const field = typeof since === 'number' ? httpDate(since) : since;
  return service.patch(dog, { barks }, { 'If-Unmodified-Since': field });
}

async function scheduledDog(frequency: number | null = 10): Promise<{ dog: string; next: number }> {
  const dog = await testDogs.newDog();
  const next = (await timeOfService()) + 3600;
  expect((await patchBarks(dog, { next, frequency })).status).toBe(205);
  return { dog, next };
}

const detailOf = (response: ApiResponse) => documentOf<{ detail: string }>(response).detail;

describe('PATCH /v1/dogs/{id}', () => {
  test('returns 205, then 204 for the same body and date with any content type, and GET shows the schedule', async () => {
    const dog = await testDogs.newDog();
    const now = await timeOfService();
    const barks = { next: now + 3600, frequency: 10 };
    expect((await patchWith(dog, now, barks)).status).toBe(205);
    const before = await stateOf(dog);
    for (const type of ['application/json', 'text/plain']) {
      const fields = { 'If-Unmodified-Since': httpDate(now), 'Content-Type': type };
      expect((await service.patch(dog, { barks }, fields)).status).toBe(204);
    }
    expect(await stateOf(dog)).toEqual(before);
    expect(await dogAt(service, dog)).toMatchObject({ barkCount: 0, barks: { previous: [], ...barks } });
  });

  test.each(['application/merge-patch+json', 'Application/JSON ;charset=utf-8'])(
    'accepts %s',
    async (type) => {
      const dog = await testDogs.newDog();
      expect((await patchBarks(dog, { next: 0 }, { 'Content-Type': type })).status).toBe(205);
    },
  );

  test('sets a schedule that a later PUT of the dog does not change', async () => {
    const { dog, next } = await scheduledDog();
    for (const settings of [{ barkEffects: ['count'] }, await dogAt(service, dog)]) {
      expect((await service.put(dog, settings)).status).toBe(204);
      expect(await barksOf(dog)).toEqual({ previous: [], next, frequency: 10 });
    }
  });
});

describe('a merge patch', () => {
  // The times count from the next bark of the schedule.
  test.each<[object, number | null, object]>([
    [{ next: 60 }, 10, { next: 60, frequency: 10 }],
    [{ next: 60 }, null, { next: 60 }],
    [{ frequency: longestFrequency }, 10, { next: 0, frequency: longestFrequency }],
    [{ frequency: 0 }, 10, { next: 0 }],
    [{ frequency: null }, 10, { next: 0 }],
    [{ next: 60, frequency: 20 }, 10, { next: 60, frequency: 20 }],
  ])('of %j changes only that of a schedule with the frequency %j', async (patch, frequency, expected) => {
    const { dog, next } = await scheduledDog(frequency);
    const from = (barks: { next?: number }) =>
      'next' in barks ? { ...barks, next: next + barks.next } : barks;
    expect((await patchBarks(dog, from(patch))).status).toBe(205);
    expect(await barksOf(dog)).toEqual({ previous: [], ...from(expected) });
  });

  test('of barks null deletes the schedule and keeps the history', async () => {
    const dog = await testDogs.newDog();
    await patchBarks(dog, { next: 0, frequency: 10 });
    const [first] = (await barksOf(dog))?.previous ?? [];
    expect((await patchBarks(dog, null)).status).toBe(205);
    expect(await barksOf(dog)).toEqual({ previous: [first] });
    expect(documentOf(await service.get(`${dog}bark-schedule`))).toEqual({ last: first, next: null });
    expect((await patchBarks(dog, { frequency: 10 })).status).toBe(403);
    const next = (await timeOfService()) + 3600;
    expect((await patchBarks(dog, { next })).status).toBe(205);
    expect(await barksOf(dog)).toEqual({ previous: [first], next });
    expect((await patchBarks(dog, { frequency: 10 })).status).toBe(205);
    expect(await barksOf(dog)).toEqual({ previous: [first], next, frequency: 10 });
  });

  test.each<[string, (next: number) => unknown]>([
    ['is empty', () => ({})],
    ['has an empty barks object', () => ({ barks: {} })],
    ['repeats the schedule', (next) => ({ barks: { next, frequency: 10 } })],
    ['repeats the frequency', () => ({ barks: { frequency: 10, previous: [] } })],
    ['has read-only fields that are null', () => ({ id: null, barkCount: null, barks: { previous: null } })],
  ])('that %s changes nothing and returns 204', async (_, patchOf) => {
    const { dog, next } = await scheduledDog();
    const before = await stateOf(dog);
    const fields = { 'If-Unmodified-Since': httpDate(await timeOfService()) };
    expect((await service.patch(dog, patchOf(next), fields)).status).toBe(204);
    expect(await stateOf(dog)).toEqual(before);
  });

  test.each([null, {}])(
    'of %j changes nothing and returns 204 for a dog without a schedule',
    async (barks) => {
      const dog = await testDogs.newDog();
      const before = await stateOf(dog);
      expect((await patchBarks(dog, barks)).status).toBe(204);
      expect(await stateOf(dog)).toEqual(before);
    },
  );

  test('may contain the read-only fields of the dog, and does not change them', async () => {
    const dog = await testDogs.newDog();
    const next = (await timeOfService()) + 3600;
    const fields = { 'If-Unmodified-Since': httpDate(await timeOfService()) };
    const id = dog.split('/').at(-2);
    const patch = { id, barkCount: 7, barking: true, suspended: [], barks: { previous: [1, 2], next } };
    expect((await service.patch(dog, patch, fields)).status).toBe(205);
    const unchanged = { id, barkCount: 0, barking: false, barks: { previous: [], next } };
    expect(await dogAt(service, dog)).toMatchObject(unchanged);
  });
});

describe('If-Unmodified-Since', () => {
  // The recipient of a date does not check its day of the week.
  const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

  test('may have any format of an HTTP date, and a repeat may have another format', async () => {
    const dog = await testDogs.newDog();
    const now = await timeOfService();
    const [weekday = '', day = '', month, year = '', clock] = httpDate(now).split(' ');
    const barks = { next: now + 3600 };
    expect((await patchWith(dog, httpDate(now), barks)).status).toBe(205);
    for (const date of [
      ...weekdays.map((name) => `${name}, ${day}-${month}-${year.slice(2)} ${clock} GMT`),
      `${weekday.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${clock} ${year}`,
    ])
      expect([date, (await patchWith(dog, date, barks)).status]).toEqual([date, 204]);
  });

  test('may be five minutes ahead of the service', async () => {
    const dog = await testDogs.newDog();
    const ahead = (await timeOfService()) + 300;
    expect((await patchWith(dog, ahead, { next: 0 })).status).toBe(205);
    expect((await patchWith(dog, ahead, { next: 0 })).status).toBe(204);
    // Over HTTP, the later date may no longer be too far ahead when the request arrives.
    if (driverName === 'in process') expect((await patchWith(dog, ahead + 1, { next: 0 })).status).toBe(403);
    expect((await dogAt(service, dog)).barkCount).toBe(1);
  });

  test('leads to a 403 that states both dates if a client has changed the dog since its date', async () => {
    const changes: readonly ((dog: string, next: number) => Promise<ApiResponse>)[] = [
      (dog) => service.put(dog, { barkEffects: ['count'] }),
      (dog, next) => patchBarks(dog, { next }),
      (dog, next) => service.post(`${dog}bark-schedule`, { token: 1, next }),
      (dog) => service.delete(`${dog}bark-schedule`),
    ];
    const dogs = await Promise.all(changes.map(() => scheduledDog()));
    const since = await timeOfService();
    await passTime(2);
    await Promise.all(
      changes.map(async (change, n) => {
        const { dog, next } = dogs[n] ?? { dog: '', next: 0 };
        expect((await change(dog, next + 60)).status).toBeLessThan(300);
        const before = await stateOf(dog);
        const response = await patchWith(dog, since, { next: 0, frequency: 30 });
        expect(response.status).toBe(403);
        expect(detailOf(response)).toContain(httpDate(since));
        expect(detailOf(response)).toContain(header(await service.get(dog), 'Last-Modified'));
        expect(await stateOf(dog)).toEqual(before);
      }),
    );
  });

  test('ignores barks after its date', async () => {
    const dog = await testDogs.newDog();
    const since = await timeOfService();
    await passTime(2);
    for (const path of ['barks', 'bark']) expect((await service.post(`${dog}${path}`)).status).toBe(201);
    expect((await patchWith(dog, since, { next: 0, frequency: 10 })).status).toBe(205);
    expect((await dogAt(service, dog)).barkCount).toBe(3);
  });

  test('returns 204 for a repeat, even if the dog has changed since then and the next of the patch has passed', async () => {
    const dog = await testDogs.newDog();
    const since = await timeOfService();
    const barks = { next: since - 54, frequency: 10 };
    expect((await patchWith(dog, since, barks)).status).toBe(205);
    await passTime(7);
    await service.put(dog, { barkEffects: ['count'] });
    await patchBarks(dog, null);
    const before = await stateOf(dog);
    expect((await patchWith(dog, since, barks)).status).toBe(204);
    expect(await stateOf(dog)).toEqual(before);
    expect((await patchWith(dog, since + 240, barks)).status).toBe(403);
  });

  test('accepts two different patches with the same date', async () => {
    const dog = await testDogs.newDog();
    let second: ApiResponse;
    let next: number;
    let attempts = 0;
    // Repeats until both requests arrive within the second that their date names.
    do {
      const since = await timeOfService();
      next = since + 3600 + ++attempts;
      expect((await patchWith(dog, since, { next, frequency: 10 })).status).toBe(205);
      second = await patchWith(dog, since, { next: next + 60 });
      if (Date.parse(header(second, 'Date')) / 1000 === since) break;
    } while (attempts < 20);
    expect(second.status).toBe(205);
    expect(await barksOf(dog)).toEqual({ previous: [], next: next + 60, frequency: 10 });
  });
});

describe('If-Match', () => {
  test('accepts a PATCH with the tag of the dog', async () => {
    const dog = await testDogs.newDog();
    const tags = [header(await service.get(dog), 'ETag'), '*'];
    for (const [n, tag] of tags.entries()) {
      const barks = { next: 0, frequency: shortestFrequency + n };
      expect((await patchBarks(dog, barks, { 'If-Match': tag })).status).toBe(205);
    }
    expect((await dogAt(service, dog)).barkCount).toBe(2);
  });

  test('returns 403 for a PATCH with the tag from before a bark', async () => {
    const dog = await testDogs.newDog();
    const tag = header(await service.get(dog), 'ETag');
    await service.post(`${dog}bark`);
    const before = await stateOf(dog);
    const response = await patchBarks(dog, { next: 0 }, { 'If-Match': tag });
    expect(response.status).toBe(403);
    expect(detailOf(response)).toMatch(/\w+ \w+/);
    expect(await stateOf(dog)).toEqual(before);
  });
});
