import { type Bark, documentOf, dogAt, eventually, header } from '../support/client.ts';
import { passTime } from '../support/time.ts';
import { access, patchBarks, service, settled, testDogs, timeOfService } from './support.ts';

const hourSeconds = 3600;

// The clock of a deployed service cannot be set back.
(access.clock_url ? describe : describe.skip)('A service whose clock is set back an hour', () => {
  let isSetBack = false;
  let earlier: string;
  let pending: { readonly dog: string; readonly bark: string };
  let scheduled: { readonly dog: string; readonly next: number };
  let recurring: string;
  let changed: string;

  async function setBack(): Promise<void> {
    await passTime(access, -hourSeconds);
    isSetBack = true;
  }

  async function setForward(): Promise<void> {
    if (isSetBack) await passTime(access, hourSeconds);
    isSetBack = false;
  }

  beforeAll(async () => {
    earlier = await testDogs.newDog();
    await service.post(`${earlier}barks`);
    scheduled = { dog: await testDogs.newDog(), next: (await timeOfService()) + 30 };
    await service.post(`${scheduled.dog}bark-schedule`, { token: 1, next: scheduled.next });
    recurring = await testDogs.newDog();
    await service.post(`${recurring}bark-schedule`, { token: 1, next: 0, frequency: 60 });
    changed = await testDogs.newDog();
    const dog = await testDogs.newDog({ barkHandling: 'async' });
    pending = { dog, bark: header(await service.post(`${dog}barks`), 'Location') };
    await setBack();
  });
  afterAll(setForward);

  test('returns and changes a dog from before', async () => {
    const { barkCount, barks } = await dogAt(service, earlier);
    expect([barkCount, barks?.previous.length]).toEqual([1, 1]);
    const changed = header(await service.get(earlier), 'Last-Modified');
    expect((await service.put(earlier, { barkEffects: ['count'] })).status).toBe(204);
    expect((await service.post(`${earlier}barks`)).status).toBe(303);
    expect((await dogAt(service, earlier)).barkCount).toBe(2);
    const last = header(await service.get(earlier), 'Last-Modified');
    expect(Date.parse(last)).toBeGreaterThanOrEqual(Date.parse(changed));
    expect((await service.post(`${earlier}bark-schedule`, { token: 1, next: 0 })).status).toBe(205);
    expect((await dogAt(service, earlier)).barkCount).toBe(3);
  });

  test('creates a dog that barks synchronously, asynchronously and on a schedule', async () => {
    const dog = await testDogs.newDog();
    expect((await service.post(`${dog}barks`)).status).toBe(201);
    const bark = await service.post(`${dog}barks`, undefined, { Prefer: 'respond-async' });
    expect(documentOf<Bark>(await settled(header(bark, 'Location'))).status).toBe('complete');
    const next = (await timeOfService()) + 20;
    expect((await patchBarks(dog, { next })).status).toBe(205);
    await passTime(access, 20);
    await eventually(async () => expect((await dogAt(service, dog)).barkCount).toBe(3));
    expect((await dogAt(service, dog)).barks?.previous.at(-1)).toBe(next);
  });

  test('accepts a PATCH of a dog from before with its Last-Modified or its entity tag, and no PATCH with the current time', async () => {
    expect((await patchBarks(changed, { next: 0 })).status).toBe(403);
    for (const frequency of [10, 20]) {
      const since = header(await service.get(changed), 'Last-Modified');
      const response = await patchBarks(changed, { next: 0, frequency }, { 'If-Unmodified-Since': since });
      expect(response.status).toBe(205);
    }
    const tag = header(await service.get(changed), 'ETag');
    expect((await patchBarks(changed, { next: 0 }, { 'If-Match': tag })).status).toBe(205);
  });

  test('performs the barks from before once each, when their time comes again', async () => {
    await setForward();
    expect(documentOf<Bark>(await settled(pending.bark)).status).toBe('complete');
    await passTime(access, hourSeconds);
    await eventually(async () =>
      expect((await dogAt(service, scheduled.dog)).barks).toEqual({ previous: [scheduled.next] }),
    );
    await eventually(async () => {
      const { previous: [first = 0, ...more] = [] } = (await dogAt(service, recurring)).barks ?? {};
      expect(more).toEqual([first + hourSeconds]);
    });
    for (const dog of [pending.dog, scheduled.dog]) expect((await dogAt(service, dog)).barkCount).toBe(1);
  });
});
