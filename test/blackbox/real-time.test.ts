import { eventually } from '@rest-actions/local-cloud/testing';
import { type Bark, documentOf, dogAt, header } from '../support/client.ts';
import { skipTime } from '../support/time.ts';
import { access, service, testDogs, timeOfService } from './support.ts';

// The other files set the clock of a local service forward. Here it merely runs, and the timers must fire by themselves.

test('an asynchronous bark and a scheduled bark happen in real time', async () => {
  const [dog, scheduled] = [await testDogs.newDog({ barkHandling: 'async' }), await testDogs.newDog()];
  const next = (await timeOfService()) + 2;
  expect((await service.post(`${scheduled}bark-schedule`, { token: 1, next })).status).toBe(205);
  // EventBridge Scheduler receives a schedule that is at least 15 seconds ahead. The last 3 seconds pass in real time.
  await skipTime(access, 12);
  const bark = header(await service.post(`${dog}barks`), 'Location');
  expect(documentOf<Bark>(await service.get(bark)).status).toBe('pending');
  const interval = 250;
  await eventually(async () => expect(documentOf<Bark>(await service.get(bark)).status).toBe('complete'), {
    deadline: 60_000,
    interval,
  });
  // EventBridge Scheduler can be a minute late.
  await eventually(
    async () => expect((await dogAt(service, scheduled)).barks).toEqual({ previous: [next] }),
    { deadline: 100_000, interval },
  );
}, 180_000);
