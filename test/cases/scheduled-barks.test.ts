import { allOf, type Bark, type BarkSchedule, documentOf, dogAt, eventually } from '../support/client.ts';
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
import.meta.jest?.setTimeout(deadline + 30_000);

/** The dogs of the tests. `beforeAll` sets all schedules, so that the tests wait for their occurrences in parallel. */
let recurring: Record<'PATCH' | 'POST', string>;
let mailing: string;
let onceAt: number;
let once: Record<'PATCH' | 'POST', string>;
let later: Record<'PATCH' | 'POST', string>;
let moved: string;
let silenced: Record<string, string>;

const barkEffects = ['emailDog', 'record'];
const [recurringMail, onceMail] = [simulatedAddress(), simulatedAddress()];

const post = (dog: string, schedule: object) =>
  service.post(`${dog}bark-schedule`, { token: 1, ...schedule });

/** Creates a dog and sets its schedule with the given function. */
async function dogWith(set: (dog: string) => Promise<{ status: number }>, settings = {}): Promise<string> {
  const dog = await testDogs.newDog(settings);
  expect((await set(dog)).status).toBe(205);
  return dog;
}

beforeAll(async () => {
  const everyMinute = { next: 0, frequency: 1 };
  recurring = {
    PATCH: await dogWith((dog) => patchBarks(dog, everyMinute)),
    POST: await dogWith((dog) => post(dog, everyMinute), { barkHandling: 'async' }),
  };
  mailing = await dogWith((dog) => patchBarks(dog, everyMinute), { email: recurringMail, barkEffects });
  onceAt = (await timeOfService()) + 5;
  const soon = { next: onceAt };
  const soonAndOften = { next: onceAt, frequency: 1 };
  once = {
    PATCH: await dogWith((dog) => patchBarks(dog, soon), {
      email: onceMail,
      barkEffects: ['emailDog'],
      barkHandling: 'async',
    }),
    POST: await dogWith((dog) => post(dog, soon)),
  };
  later = {
    PATCH: await dogWith((dog) => patchBarks(dog, soonAndOften)),
    POST: await dogWith((dog) => post(dog, soonAndOften), { barkEffects: ['count'] }),
  };
  moved = await dogWith((dog) => post(dog, { next: onceAt + 3600, frequency: 10 }));
  expect((await patchBarks(moved, { next: onceAt })).status).toBe(205);
  silenced = {
    'deleted by PATCH': await dogWith((dog) => patchBarks(dog, soonAndOften)),
    'deleted by DELETE': await dogWith((dog) => post(dog, soon)),
    'replaced by PATCH': await dogWith((dog) => post(dog, soonAndOften)),
    'replaced by POST': await dogWith((dog) => patchBarks(dog, soon)),
    'of a deleted dog': await dogWith((dog) => patchBarks(dog, soonAndOften)),
    'of a deleted dog, set with a token': await dogWith((dog) => post(dog, soonAndOften)),
  };
  const far = { next: onceAt + 3600 };
  const silence: Record<string, (dog: string) => Promise<unknown>> = {
    'deleted by PATCH': (dog) => patchBarks(dog, null),
    'deleted by DELETE': (dog) => service.delete(`${dog}bark-schedule`),
    'replaced by PATCH': (dog) => patchBarks(dog, far),
    'replaced by POST': (dog) => post(dog, far),
  };
  for (const [how, dog] of Object.entries(silenced)) {
    await (silence[how] ?? service.delete.bind(service))(dog);
    if (!silence[how]) await service.put(dog, {});
  }
  // If the clock can be set forward, the first occurrences are about a minute late, as they can be with EventBridge Scheduler.
  await skipTime(75);
  for (const dog of [...Object.values(once), ...Object.values(later), moved]) await barked(dog, 1);
  await skipTime(60);
});

/** Waits until a dog has barked at least this often, and returns its count and its barks. */
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

/** Returns the occurrences of a schedule with a frequency of one minute: one for each bark, and the next one. */
function occurrences(first: number, { length }: { length: number }): { previous: number[]; next: number } {
  return { previous: Array.from({ length }, (_, n) => first + 60 * n), next: first + 60 * length };
}

const recordsOf = async (dog: string) =>
  (await allOf<Bark>(service, `${dog}barks`)).map(({ timestamp }) => timestamp);
const scheduleOf = async (dog: string) => documentOf<BarkSchedule>(await service.get(`${dog}bark-schedule`));

describe('a schedule of one bark', () => {
  test('of PATCH makes the dog bark once, at its occurrence', async () => {
    const { barkCount, barks } = await barked(once.PATCH, 1);
    expect([barkCount, barks]).toEqual([0, { previous: [onceAt] }]);
    expect(await scheduleOf(once.PATCH)).toEqual({ last: onceAt, next: null });
    expect(documentOf(await service.get(`${once.PATCH}bark`))).toEqual({ timestamp: onceAt });
  });

  test('of POST makes the dog bark once, at its occurrence', async () => {
    const { barkCount, barks } = await barked(once.POST, 1);
    expect([barkCount, barks]).toEqual([1, { previous: [onceAt] }]);
    expect(await scheduleOf(once.POST)).toEqual({ last: onceAt, next: null });
    expect(await recordsOf(once.POST)).toEqual([onceAt]);
  });
});

test('a schedule whose next was changed makes the dog bark at the new time and keeps its frequency', async () => {
  const { barkCount, barks } = await barked(moved, 1);
  expect([barkCount, barks]).toEqual([1, { previous: [onceAt], next: onceAt + 600, frequency: 10 }]);
});

test('repeating a token after its schedule has ended changes nothing', async () => {
  await barked(once.POST, 1);
  expect((await post(once.POST, { next: onceAt })).status).toBe(205);
  expect(await scheduleOf(once.POST)).toEqual({ last: onceAt, next: null });
});

testWithInbox('the mail of a scheduled bark')('a scheduled bark sends one mail', async () => {
  await barked(once.PATCH, 1);
  await eventually(async () => expect(await mailsTo(onceMail)).toHaveLength(1));
  const [mail] = await mailsTo(onceMail);
  const link = `${service.baseUrl}${once.PATCH}mail-subscription/`;
  expect(mail?.unsubscribe).toContain(`<${link}`);
  expect(mail?.body.text).toContain(link);
});

describe('a schedule of one bark per minute', () => {
  test.each(['PATCH', 'POST'] as const)(
    'of %s repeats the bark 60 seconds after the first one',
    async (method) => {
      const dog = recurring[method];
      const { barkCount, barks } = await barked(dog, 2);
      const [first = 0, second] = barks.previous;
      expect(second).toBe(first + 60);
      expect(barks).toEqual({ ...occurrences(first, barks.previous), frequency: 1 });
      expect(barkCount).toBe(barks.previous.length);
      const { last, next } = await scheduleOf(dog);
      expect(next).toBe((last ?? 0) + 60);
      expect((await service.delete(`${dog}bark-schedule`)).status).toBe(204);
      const { previous = [] } = (await dogAt(service, dog)).barks ?? {};
      expect(await scheduleOf(dog)).toEqual({ last: previous.at(-1), next: null });
      expect(await recordsOf(dog)).toEqual([...previous].reverse());
    },
  );

  test.each(['PATCH', 'POST'] as const)(
    'of %s makes the dog bark at next and then every minute',
    async (method) => {
      const { barkCount, barks } = await barked(later[method], 2);
      expect(barks).toEqual({ ...occurrences(onceAt, barks.previous), frequency: 1 });
      expect(barkCount).toBe(barks.previous.length);
    },
  );

  testWithInbox('the mails of a schedule')('of PATCH sends one mail for each bark', async () => {
    await barked(mailing, 2);
    await service.delete(`${mailing}bark-schedule`);
    const { barkCount } = await dogAt(service, mailing);
    await eventually(async () => expect(await mailsTo(recurringMail)).toHaveLength(barkCount));
  });
});

describe('No dog barks because of a schedule', () => {
  // Without the changes, these dogs would have barked at the same time as those above. The tests wait a little longer.
  beforeAll(async () => {
    await barked(later.POST, 2);
    await passTime(2);
  });

  test.each([
    'deleted by PATCH',
    'deleted by DELETE',
    'replaced by PATCH',
    'replaced by POST',
    'of a deleted dog',
    'of a deleted dog, set with a token',
  ])('%s', async (how) => {
    const { barkCount, barks } = await dogAt(service, silenced[how] ?? '');
    expect([barkCount, barks?.previous ?? []]).toEqual([0, []]);
  });

  test('of a deleted dog: a new dog with the same id has no schedule', async () => {
    for (const how of ['of a deleted dog', 'of a deleted dog, set with a token'])
      expect((await service.get(`${silenced[how]}bark-schedule`)).status).toBe(404);
  });
});
