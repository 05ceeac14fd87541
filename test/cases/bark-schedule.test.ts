import {
  allOf,
  type Bark,
  type BarkSchedule,
  documentOf,
  dogAt,
  type Fields,
  type Problem,
} from '../support/client.ts';
import { passTime, patchBarks, service, stateOf, testDogs, timeOfService } from './service.ts';

const json = { 'Content-Type': 'application/json' };
const text = (content: string) => Buffer.from(content);

const post = (dog: string, document: unknown, fields?: Fields) =>
  service.post(`${dog}bark-schedule`, document, fields);
const statusOf = async (dog: string, document: unknown) => (await post(dog, document)).status;
const scheduleOf = async (dog: string) => documentOf<BarkSchedule>(await service.get(`${dog}bark-schedule`));
const barksOf = async (dog: string) => (await dogAt(service, dog)).barks;

/** Returns a time of the service that is later than the end of this suite. */
const inAnHour = async () => (await timeOfService()) + 3600;

const setters = {
  'POST /v1/dogs/{id}/bark-schedule': (dog: string, barks: object) => post(dog, { token: 7, ...barks }),
  'PATCH /v1/dogs/{id}': patchBarks,
};

describe.each(Object.entries(setters))('%s', (_, set) => {
  const statusOfSet = async (dog: string, barks: object) => (await set(dog, barks)).status;

  test('with next 0 makes the dog bark immediately and then repeatedly', async () => {
    const dog = await testDogs.newDog();
    const asked = await timeOfService();
    expect(await statusOfSet(dog, { next: 0, frequency: 10 })).toBe(205);
    const { last, next } = await scheduleOf(dog);
    expect(Math.abs((last ?? 0) - asked)).toBeLessThan(30);
    expect(next).toBe((last ?? 0) + 600);
    expect(await dogAt(service, dog)).toMatchObject({
      barkCount: 1,
      barks: { previous: [last], next, frequency: 10 },
    });
    const barks = await allOf<Bark>(service, `${dog}barks`);
    expect(barks).toMatchObject([{ timestamp: last, status: 'complete' }]);
    expect(documentOf(await service.get(`${dog}bark`))).toEqual({ timestamp: last });
  });

  test.each([{}, { frequency: 0 }, { frequency: null }])('with %j schedules one bark', async (frequency) => {
    const [now, later] = await Promise.all([testDogs.newDog(), testDogs.newDog()]);
    const next = await inAnHour();
    expect(await statusOfSet(now, { next: 0, ...frequency })).toBe(205);
    expect(await statusOfSet(later, { next, ...frequency })).toBe(205);
    expect(await scheduleOf(now)).toEqual({ last: expect.any(Number), next: null });
    expect(await scheduleOf(later)).toEqual({ last: null, next });
    expect(await barksOf(later)).toEqual({ previous: [], next });
  });

  test('with a next that has just passed makes the dog bark immediately', async () => {
    const dog = await testDogs.newDog();
    expect(await statusOfSet(dog, { next: (await timeOfService()) - 30, frequency: 10 })).toBe(205);
    const shown = await scheduleOf(dog);
    expect(shown.next).toBe((shown.last ?? 0) + 600);
    expect((await dogAt(service, dog)).barkCount).toBe(1);
  });

  test('makes a dog bark synchronously, even if its handling is asynchronous', async () => {
    const dog = await testDogs.newDog({ barkHandling: 'async' });
    expect(await statusOfSet(dog, { next: 0 })).toBe(205);
    expect(await dogAt(service, dog)).toMatchObject({ barkCount: 1, barking: false });
  });
});

describe('POST /v1/dogs/{id}/bark-schedule', () => {
  test('with a new token replaces the schedule and keeps the last bark', async () => {
    const dog = await testDogs.newDog();
    await statusOf(dog, { token: 1, next: 0, frequency: 10 });
    const { last } = await scheduleOf(dog);
    const next = await inAnHour();
    expect(await statusOf(dog, { token: 2, next, frequency: 20 })).toBe(205);
    expect(await scheduleOf(dog)).toEqual({ last, next });
    expect(await barksOf(dog)).toEqual({ previous: [last], next, frequency: 20 });
  });

  test('replaces a schedule of PATCH, and PATCH replaces a schedule of POST', async () => {
    const dog = await testDogs.newDog();
    const hour = await inAnHour();
    await patchBarks(dog, { next: hour, frequency: 10 });
    expect(await scheduleOf(dog)).toEqual({ last: null, next: hour });
    expect(await statusOf(dog, { token: 1, next: hour + 60 })).toBe(205);
    expect(await barksOf(dog)).toEqual({ previous: [], next: hour + 60 });
    expect((await patchBarks(dog, { next: hour + 120, frequency: 20 })).status).toBe(205);
    expect(await scheduleOf(dog)).toEqual({ last: null, next: hour + 120 });
    // PATCH has replaced the schedule of this token, so repeating the token does not set it again.
    expect(await statusOf(dog, { token: 1, next: hour + 60 })).toBe(205);
    expect(await scheduleOf(dog)).toEqual({ last: null, next: hour + 120 });
    expect((await patchBarks(dog, null)).status).toBe(205);
    expect(await scheduleOf(dog)).toEqual({ last: null, next: null });
  });
});

describe('a token', () => {
  test('returns 205 when it is repeated, and changes nothing', async () => {
    const dog = await testDogs.newDog();
    const document = { token: 7, next: 0, frequency: 10 };
    expect(await statusOf(dog, document)).toBe(205);
    const before = await stateOf(dog);
    for (let n = 0; n < 5; n++) expect(await statusOf(dog, document)).toBe(205);
    expect(await stateOf(dog)).toEqual(before);
  });

  test.each<[string, object]>([
    ['another next', { next: 0 }],
    ['another frequency', { frequency: 20 }],
    ['no frequency', { frequency: undefined }],
  ])('returns 422 when it is repeated with %s, and changes nothing', async (_, other) => {
    const dog = await testDogs.newDog();
    const document = { token: 7, next: await inAnHour(), frequency: 10 };
    expect(await statusOf(dog, document)).toBe(205);
    const before = await stateOf(dog);
    const refused = await post(dog, { ...document, ...other });
    const error = { pointer: '/token', detail: expect.stringContaining('was already used') };
    expect([refused.status, documentOf<Problem>(refused).errors]).toEqual([422, [error]]);
    expect(await stateOf(dog)).toEqual(before);
    expect(await statusOf(dog, document)).toBe(205);
  });

  test.each([
    ['the same numbers in another notation', '{"frequency":1e1, "next":-0, "token":7.0}\n', 10],
    ['a frequency of null for none', '{"token":7,"next":0,"frequency":null}', undefined],
    ['no frequency for 0', '{"token":7,"next":0}', 0],
  ])('returns 205 when it is repeated with %s', async (_, repeat, frequency) => {
    const dog = await testDogs.newDog();
    expect(await statusOf(dog, { token: 7, next: 0, frequency })).toBe(205);
    expect((await post(dog, text(repeat), json)).status).toBe(205);
    expect((await dogAt(service, dog)).barkCount).toBe(1);
  });

  test('returns 205 when it is repeated after its next has passed and the dog has changed', async () => {
    const dog = await testDogs.newDog();
    const document = { token: 7, next: (await timeOfService()) - 54, frequency: 10 };
    expect(await statusOf(dog, document)).toBe(205);
    await passTime(7);
    await service.put(dog, { barkEffects: ['count'] });
    const before = await stateOf(dog);
    expect(await statusOf(dog, document)).toBe(205);
    expect(await stateOf(dog)).toEqual(before);
    expect(await statusOf(dog, { ...document, token: 8 })).toBe(422);
  });

  test('is still known after its schedule has been deleted', async () => {
    const dog = await testDogs.newDog();
    const document = { token: 7, next: await inAnHour(), frequency: 10 };
    await statusOf(dog, document);
    expect((await service.delete(`${dog}bark-schedule`)).status).toBe(204);
    expect(await statusOf(dog, document)).toBe(205);
    expect(await scheduleOf(dog)).toEqual({ last: null, next: null });
    expect(await statusOf(dog, { ...document, frequency: 20 })).toBe(422);
    expect(await statusOf(dog, { ...document, token: 8 })).toBe(205);
    expect(await scheduleOf(dog)).toEqual({ last: null, next: document.next });
  });

  test('belongs to one dog', async () => {
    const [dog, other] = await Promise.all([testDogs.newDog(), testDogs.newDog()]);
    await statusOf(dog, { token: 7, next: await inAnHour(), frequency: 10 });
    expect(await statusOf(other, { token: 7, next: 0 })).toBe(205);
    expect((await dogAt(service, other)).barkCount).toBe(1);
  });

  test.each([
    ['0', '-0', '0.0', '-0e5'],
    ['0.1', '0.1000000000000000055511151231257827'],
    ['9007199254740991', '9007199254740991.0'],
    ['-9007199254740991', '-90071992547409910e-1'],
    ['5e-324', '4.9e-324'],
  ])('may be %s in any notation', async (...spellings) => {
    const dog = await testDogs.newDog();
    for (const token of [...spellings, ...spellings]) {
      const response = await post(dog, text(`{"token":${token},"next":0,"frequency":10}`), json);
      expect([token, response.status]).toEqual([token, 205]);
    }
    expect((await dogAt(service, dog)).barkCount).toBe(1);
  });
});

describe('GET /v1/dogs/{id}/bark-schedule', () => {
  test('shows the last bark of the schedule, and no other bark', async () => {
    const dog = await testDogs.newDog();
    await statusOf(dog, { token: 7, next: await inAnHour() });
    for (const path of ['bark', 'barks']) await service.post(`${dog}${path}`);
    expect((await scheduleOf(dog)).last).toBe(null);
  });
});

describe('DELETE /v1/dogs/{id}/bark-schedule', () => {
  test('deletes the schedule, keeps the history, and returns 204 for each repeat', async () => {
    const dog = await testDogs.newDog();
    await statusOf(dog, { token: 7, next: 0, frequency: 10 });
    const { last } = await scheduleOf(dog);
    for (const _ of [1, 2]) {
      expect((await service.delete(`${dog}bark-schedule`)).status).toBe(204);
      expect(await scheduleOf(dog)).toEqual({ last, next: null });
      expect(await barksOf(dog)).toEqual({ previous: [last] });
    }
  });

  test('deletes a schedule that PATCH has set', async () => {
    const dog = await testDogs.newDog();
    await patchBarks(dog, { next: await inAnHour(), frequency: 10 });
    expect((await service.delete(`${dog}bark-schedule`)).status).toBe(204);
    expect(await barksOf(dog)).toBeUndefined();
  });
});

describe('a deleted dog', () => {
  test('does not pass its schedule or its tokens on to a new dog with the same id', async () => {
    const dog = await testDogs.newDog();
    const next = await inAnHour();
    await statusOf(dog, { token: 7, next, frequency: 10 });
    const patch = { barks: { next: next + 60 } };
    const fields = { 'If-Unmodified-Since': new Date((next - 3600 + 240) * 1000).toUTCString() };
    expect((await service.patch(dog, patch, fields)).status).toBe(205);
    await service.delete(dog);
    for (const method of ['GET', 'DELETE'])
      expect((await service.send(method, `${dog}bark-schedule`)).status).toBe(404);
    expect(await statusOf(dog, { token: 7, next, frequency: 10 })).toBe(404);
    expect((await service.patch(dog, patch, fields)).status).toBe(404);

    await service.put(dog, {});
    expect((await service.get(`${dog}bark-schedule`)).status).toBe(404);
    expect(await barksOf(dog)).toBeUndefined();
    expect((await service.patch(dog, patch, fields)).status).toBe(205);
    expect(await statusOf(dog, { token: 7, next: next + 120, frequency: 20 })).toBe(205);
    expect(await barksOf(dog)).toEqual({ previous: [], next: next + 120, frequency: 20 });
  });
});
