import { eventually } from '@rest-actions/local-cloud/testing';
import { shortestFrequency } from '../../lambdas/contract/bark-schedule.ts';
import { allOf, type Bark, type BarkSchedule, documentOf, dogAt } from '../support/client.ts';
import {
  mailsTo,
  passTime,
  patchBarks,
  service,
  simulatedAddress,
  skipTime,
  testDogs,
  testWithInbox,
  timeOfService,
} from './service.ts';

// In a deployed stack, the scheduler may be more than a minute late.
const deadline = 150_000;
jest.setTimeout(deadline + 30_000);

/** The seconds between two barks of the most frequent schedule. */
const period = 60 * shortestFrequency;

/** The dogs of the tests. `beforeAll` sets all schedules, so that the tests wait for their occurrences in parallel. */
let onceAt: number;
let once: Record<'PATCH' | 'POST', string>;
let often: Record<'PATCH' | 'POST', string>;
let moved: string;
let silenced: Record<string, string>;

const email = simulatedAddress();

const post = (dog: string, schedule: object) =>
  service.post(`${dog}bark-schedule`, { token: 1, ...schedule });

async function dogWith(set: (dog: string) => Promise<{ status: number }>, settings = {}): Promise<string> {
  const dog = await testDogs.newDog(settings);
  expect((await set(dog)).status).toBe(205);
  return dog;
}

beforeAll(async () => {
  // Late enough for the requests below on a busy machine.
  onceAt = (await timeOfService()) + 15;
  const soon = { next: onceAt };
  const soonAndOften = { next: onceAt, frequency: shortestFrequency };
  const onlyMail = { email: simulatedAddress(), barkEffects: ['emailDog'], barkHandling: 'async' };
  once = {
    PATCH: await dogWith((dog) => patchBarks(dog, soon), onlyMail),
    POST: await dogWith((dog) => post(dog, soon)),
  };
  const mailAndRecord = { email, barkEffects: ['emailDog', 'record'] };
  often = {
    PATCH: await dogWith((dog) => patchBarks(dog, { next: 0, frequency: shortestFrequency }), mailAndRecord),
    POST: await dogWith((dog) => post(dog, soonAndOften), { barkHandling: 'async' }),
  };
  moved = await dogWith((dog) => post(dog, { next: onceAt + 3600, frequency: 10 }));
  expect((await patchBarks(moved, { next: onceAt })).status).toBe(205);
  silenced = {
    'deleted by PATCH': await dogWith((dog) => patchBarks(dog, soonAndOften)),
    'deleted by DELETE': await dogWith((dog) => post(dog, soon)),
    'replaced by PATCH': await dogWith((dog) => post(dog, soonAndOften)),
    'replaced by POST': await dogWith((dog) => patchBarks(dog, soon)),
    'of a deleted dog': await dogWith((dog) => post(dog, soonAndOften)),
  };
  const far = { next: onceAt + 3600 };
  const silence: Record<string, (dog: string) => Promise<unknown>> = {
    'deleted by PATCH': (dog) => patchBarks(dog, null),
    'deleted by DELETE': (dog) => service.delete(`${dog}bark-schedule`),
    'replaced by PATCH': (dog) => patchBarks(dog, far),
    'replaced by POST': (dog) => post(dog, far),
    'of a deleted dog': async (dog) => service.delete(dog).then(() => service.put(dog, {})),
  };
  for (const [how, dog] of Object.entries(silenced)) await silence[how]?.(dog);
  // If the clock can be set forward, the first occurrences are about a minute late, as they can be with EventBridge Scheduler.
  await skipTime(85);
  for (const dog of [...Object.values(once), often.POST, moved]) await barked(dog, 1);
  await skipTime(period);
});

function barked(dog: string, times: number) {
  return eventually(
    async () => {
      const { barkCount, barks = { previous: [] } } = await dogAt(service, dog);
      expect(barks.previous.length).toBeGreaterThanOrEqual(times);
      return { barkCount, barks };
    },
    { deadline, interval: 100 },
  );
}

const scheduleOf = async (dog: string) => documentOf<BarkSchedule>(await service.get(`${dog}bark-schedule`));

test.each(['PATCH', 'POST'] as const)(
  'A schedule of one bark, set by %s, makes the dog bark once, at its occurrence',
  async (method) => {
    const { barkCount, barks } = await barked(once[method], 1);
    expect([barkCount, barks]).toEqual([method === 'PATCH' ? 0 : 1, { previous: [onceAt] }]);
    expect(await scheduleOf(once[method])).toEqual({ last: onceAt, next: null });
    expect(documentOf(await service.get(`${once[method]}bark`))).toEqual({ timestamp: onceAt });
  },
);

test('Repeating a token after its schedule has ended changes nothing', async () => {
  await barked(once.POST, 1);
  expect((await post(once.POST, { next: onceAt })).status).toBe(205);
  expect(await scheduleOf(once.POST)).toEqual({ last: onceAt, next: null });
});

test('A schedule whose next was changed makes the dog bark at the new time and keeps its frequency', async () => {
  const { barkCount, barks } = await barked(moved, 1);
  expect([barkCount, barks]).toEqual([1, { previous: [onceAt], next: onceAt + 600, frequency: 10 }]);
});

test.each(['PATCH', 'POST'] as const)(
  'The most frequent schedule, set by %s, repeats the bark until it is deleted',
  async (method) => {
    const dog = often[method];
    const { barkCount, barks } = await barked(dog, 2);
    const [first = 0] = barks.previous;
    if (method === 'POST') expect(first).toBe(onceAt);
    const times = barks.previous.map((_, n) => first + period * n);
    const next = first + period * times.length;
    expect([barkCount, barks]).toEqual([
      times.length,
      { previous: times, next, frequency: shortestFrequency },
    ]);
    expect((await service.delete(`${dog}bark-schedule`)).status).toBe(204);
    const { previous = [] } = (await dogAt(service, dog)).barks ?? {};
    expect(await scheduleOf(dog)).toEqual({ last: previous.at(-1), next: null });
    const recorded = (await allOf<Bark>(service, `${dog}barks`)).map(({ timestamp }) => timestamp);
    expect(recorded).toEqual([...previous].reverse());
  },
);

testWithInbox('the mails of a schedule')('A schedule sends one mail for each bark', async () => {
  const dog = often.PATCH;
  await service.delete(`${dog}bark-schedule`);
  const { barkCount } = await dogAt(service, dog);
  await eventually(async () => expect(await mailsTo(email)).toHaveLength(barkCount));
  for (const { unsubscribe } of await mailsTo(email))
    expect(unsubscribe).toContain(`<${service.baseUrl}${dog}mail-subscription/`);
});

describe('No dog barks because of a schedule', () => {
  // Without the changes, these dogs would have barked at the same time as those above. The tests wait a little longer.
  beforeAll(async () => {
    await barked(often.POST, 2);
    await passTime(2);
  });

  test.each([
    'deleted by PATCH',
    'deleted by DELETE',
    'replaced by PATCH',
    'replaced by POST',
    'of a deleted dog',
  ])('%s', async (how) => {
    const { barkCount, barks } = await dogAt(service, silenced[how] ?? '');
    expect([barkCount, barks?.previous ?? []]).toEqual([0, []]);
  });
});
