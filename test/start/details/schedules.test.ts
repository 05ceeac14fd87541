import { type ApiResponse, Client, dogAt, eventually } from '../../support/client.ts';
import { start, temporaryDirectory } from '../support.ts';

const now = () => Math.floor(Date.now() / 1000);
const hour = 3600;

/** Returns the offset that sets the clock of a new service to a time. */
const offsetTo = (time: number) => Math.max(0, time * 1000 - Date.now());

const dogs = { often: '/v1/dogs/often/', once: '/v1/dogs/once/', missed: '/v1/dogs/missed/' };
const far = '/v1/dogs/far/';

/** Waits until a dog has barked at least this often, and returns its state. */
function barked(client: Client, dog: string, times: number) {
  return eventually(
    async () => {
      const { barkCount, barks } = await dogAt(client, dog);
      expect(barks?.previous).toHaveLength(times);
      return { barkCount, barks };
    },
    { interval: 20 },
  );
}

test('schedules continue after kill -9, and the dog barks at each occurrence that was missed', async () => {
  const directory = temporaryDirectory();
  const first = await start(directory, { clockOffsetMs: 0 });
  const client = new Client(first.access);
  const post = async (dog: string, schedule: object): Promise<ApiResponse> => {
    await client.put(dog, {});
    return client.post(`${dog}bark-schedule`, { token: 1, frequency: 60, ...schedule });
  };
  const soon = now() + 5;
  const later = now() + 18;
  // The first invocation is at least 15 seconds after the request, even if an occurrence is due earlier.
  expect((await post(dogs.once, { next: soon, frequency: null })).status).toBe(205);
  expect((await post(dogs.missed, { next: later })).status).toBe(205);
  expect((await post(far, { next: soon + 24 * hour, frequency: 10 })).status).toBe(205);
  expect((await post(dogs.often, { next: 0 })).status).toBe(205);
  const [began = 0] = (await dogAt(client, dogs.often)).barks?.previous ?? [];
  first.process.kill('SIGKILL');
  await first.exited;

  const second = await start(directory, { clockOffsetMs: offsetTo(later + 2) });
  const again = new Client(second.access);
  expect(await barked(again, dogs.once, 1)).toEqual({ barkCount: 1, barks: { previous: [soon] } });
  expect(await barked(again, dogs.missed, 1)).toEqual({
    barkCount: 1,
    barks: { previous: [later], next: later + hour, frequency: 60 },
  });
  expect((await dogAt(again, far)).barks).toEqual({ previous: [], next: soon + 24 * hour, frequency: 10 });

  // Even after the service is killed once more, the schedules make their dogs bark when they are due.
  second.process.kill('SIGKILL');
  await second.exited;
  const third = await start(directory, { clockOffsetMs: offsetTo(later + hour + 2) });
  const last = new Client(third.access);
  expect(await barked(last, dogs.often, 2)).toEqual({
    barkCount: 2,
    barks: { previous: [began, began + hour], next: began + 2 * hour, frequency: 60 },
  });
  expect(await barked(last, dogs.missed, 2)).toEqual({
    barkCount: 2,
    barks: { previous: [later, later + hour], next: later + 2 * hour, frequency: 60 },
  });
  expect(await barked(last, dogs.once, 1)).toEqual({ barkCount: 1, barks: { previous: [soon] } });
  expect(await third.stop()).toBe(0);
}, 120_000);
