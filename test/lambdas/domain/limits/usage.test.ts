import type { BarkRequest } from '../../../../lambdas/domain/barks/bark.ts';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { readDogView } from '../../../../lambdas/domain/barks/queries.ts';
import { deleteDog } from '../../../../lambdas/domain/dogs/delete.ts';
import type { Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import { LimitReached } from '../../../../lambdas/domain/limits/limit-reached.ts';
import {
  MailNotSent,
  MailRefused,
  MailUnavailable,
  MailUnknown,
} from '../../../../lambdas/domain/platform/errors.ts';
import { purgeOrphans } from '../../../../lambdas/domain/removal/orphans.ts';
import { patchSchedule, postSchedule } from '../../../../lambdas/domain/schedules/change.ts';
import { at, newContext } from '../../../support/context.ts';
import { newDog, replaceSettings, settingsOf } from '../../../support/dogs.ts';
import {
  calls,
  plan,
  reset,
  running,
  sent,
  standing,
  standingOf,
  useFunctions,
} from '../../../support/faults.ts';
import { setLimits, usageOf } from '../../../support/limits.ts';
import { useLogs } from '../../../support/logs.ts';
import { deliver, occurrenceOf, post, shown } from '../../../support/schedules.ts';

useFunctions();
const logs = useLogs();
afterEach(() => setLimits(undefined));

const hour = 3_600;

async function dogWith(handling: 'sync' | 'async', ...effects: Effect[]): Promise<string> {
  const dog = await newDog(handling, effects);
  reset();
  return dog;
}

/** Sends a request to bark. @param after the time of the request, in seconds */
function bark(dog: string, request: BarkRequest = {}, after = 0) {
  return createBark(dog, request, newContext({ after }));
}

const keyed = (value: string) => ({ key: { user: 'jane', resource: 'barks', value } }) as const;

async function refusalOf(attempt: Promise<unknown>): Promise<LimitReached> {
  const error = await attempt.then(
    () => new Error('The request succeeded.'),
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(LimitReached);
  return error as LimitReached;
}

describe('With a limit of 2, two barks succeed and the third is refused', () => {
  test.each<[string, 'sync' | 'async', Effect[], string[]]>([
    ['barks', 'sync', ['record'], ['GetItem', 'TransactWriteItems']],
    ['barks', 'sync', [], ['GetItem', 'TransactWriteItems']],
    ['barks', 'async', ['record'], ['GetItem', 'StartExecution', 'TransactWriteItems']],
    ['barks', 'sync', ['emailDog'], ['GetItem', 'TransactWriteItems', 'SendRawEmail']],
    ['mails', 'sync', ['emailDog'], ['GetItem', 'TransactWriteItems', 'SendRawEmail']],
    [
      'mails',
      'sync',
      ['emailDog', 'record'],
      ['GetItem', 'TransactWriteItems', 'SendRawEmail', 'TransactWriteItems'],
    ],
    ['mails', 'async', ['emailDog'], ['GetItem', 'StartExecution', 'TransactWriteItems']],
  ])('limit of %s for a dog, %s bark with %j', async (counter, handling, effects, made) => {
    setLimits({ [`${counter}PerDog`]: 2 });
    const dog = await dogWith(handling, ...effects);
    await bark(dog, {}, 10);
    expect(calls()).toEqual(made);
    await bark(dog, {}, 20);
    const mails = sent().length;
    const refusal = await refusalOf(bark(dog, {}, 30));
    expect(refusal).toMatchObject({
      reached: [{ name: `${counter}PerDog`, limit: 2 }],
      windowSeconds: hour,
      secondsLeft: hour - 30,
    });
    expect(sent()).toHaveLength(mails);
    expect(await usageOf(dog, at)).toEqual({ dog, sk: `l#${at}`, [counter]: 2, expires: at + hour + 300 });
    await bark(dog, {}, hour);
    expect(await usageOf(dog, at + hour)).toMatchObject({ [counter]: 1 });
  });

  test('a user has one limit for all dogs, and other users have their own', async () => {
    setLimits({ barksPerUser: 2 });
    const [one, other] = [await dogWith('sync', 'record'), await dogWith('sync', 'record')];
    await bark(one, { user: 'ann' });
    await bark(other, { user: 'ann' });
    expect((await refusalOf(bark(one, { user: 'ann' }))).reached).toEqual([
      { name: 'barksPerUser', limit: 2 },
    ]);
    await bark(one, { user: 'bob' });
    expect((await shown(one)).barkCount).toBe(2);
  });

  test('a request that one limit refuses does not count for the others', async () => {
    setLimits({ mailsPerDog: 1, mailsPerUser: 5, barksPerUser: 5 });
    const dog = await dogWith('sync', 'emailDog');
    await bark(dog, { user: 'cleo' });
    await refusalOf(bark(dog, { user: 'cleo' }));
    expect(await usageOf('u#cleo', at)).toMatchObject({ mails: 1, barks: 1 });
  });

  test('the refusal lists each limit that is reached', async () => {
    setLimits({ barksPerDog: 1, mailsPerDog: 1, mailsPerUser: 1 });
    const dog = await dogWith('sync', 'emailDog');
    await bark(dog, { user: 'dora' });
    expect((await refusalOf(bark(dog, { user: 'dora' }))).reached.map(({ name }) => name)).toEqual([
      'barksPerDog',
      'mailsPerDog',
      'mailsPerUser',
    ]);
  });

  test('the refusal lists no limit that is not reached', async () => {
    setLimits({ barksPerDog: 5, mailsPerDog: 1 });
    const dog = await dogWith('sync', 'emailDog');
    await bark(dog);
    expect((await refusalOf(bark(dog))).reached).toEqual([{ name: 'mailsPerDog', limit: 1 }]);
  });

  test('the limit of a dog applies to its next incarnation', async () => {
    setLimits({ barksPerDog: 1 });
    const dog = await dogWith('sync', 'record');
    await bark(dog);
    await deleteDog(dog, {}, newContext());
    await purgeOrphans(newContext);
    await replaceSettings(dog, settingsOf('record'));
    await refusalOf(bark(dog));
  });

  test('the orphan scan and the view of the dog ignore usage', async () => {
    setLimits({ barksPerDog: 5, barksPerUser: 5 });
    const dog = await dogWith('sync', 'record');
    await bark(dog, { user: 'finn' });
    expect(await purgeOrphans(newContext)).toEqual({ dogs: 0, items: 0 });
    expect((await readDogView(dog, newContext())).previous).toEqual([at]);
  });
});

describe('With an Idempotency-Key', () => {
  test('a repeat counts nothing and succeeds even if the limit is reached', async () => {
    setLimits({ barksPerDog: 1, mailsPerDog: 1 });
    for (const [handling, ...effects] of [
      ['sync', 'record'],
      ['sync', 'emailDog'],
      ['async', 'emailDog'],
    ] as ['sync' | 'async', ...Effect[]][]) {
      const dog = await dogWith(handling, ...effects);
      const first = await bark(dog, keyed('once'));
      expect(await bark(dog, keyed('once'), 60)).toEqual(first);
      expect(await usageOf(dog, at)).toMatchObject({ barks: 1 });
      await refusalOf(bark(dog, keyed('another')));
    }
  });

  test('a refused request does not use up the key', async () => {
    setLimits({ mailsPerDog: 1 });
    const dog = await dogWith('sync', 'emailDog');
    await bark(dog);
    await refusalOf(bark(dog, keyed('later')));
    expect(await bark(dog, keyed('later'), hour)).toMatchObject({ kind: 'sent' });
  });

  test.each([
    ['throttled', MailNotSent],
    ['refused', MailRefused],
    ['sender refused', MailUnavailable],
  ] as const)('a bark whose mail was not sent counts nothing: %s', async (fault, error) => {
    setLimits({ mailsPerDog: 1, barksPerUser: 1 });
    const dog = await dogWith('sync', 'emailDog');
    const request = { user: `gus-${fault}`, ...keyed('once') };
    plan('SendRawEmail', fault);
    await expect(bark(dog, request)).rejects.toThrow(error);
    expect(await usageOf(dog, at)).toMatchObject({ mails: 0 });
    expect(await bark(dog, request)).toMatchObject({ kind: 'sent' });
    await refusalOf(bark(dog, keyed('another')));
  });

  test('a release that reaches DynamoDB twice reverses the count once', async () => {
    setLimits({ mailsPerDog: 3 });
    const dog = await dogWith('sync', 'emailDog');
    await bark(dog);
    plan('SendRawEmail', 'throttled');
    running().plan('TransactWriteItems', 'response and token lost', 1, 1);
    await expect(bark(dog, keyed('once'))).rejects.toThrow(MailNotSent);
    expect(await usageOf(dog, at)).toMatchObject({ mails: 1 });
  });

  test('a bark whose mail may have been sent stays counted, and its repeats count nothing', async () => {
    setLimits({ mailsPerDog: 2 });
    const dog = await dogWith('sync', 'emailDog');
    plan('SendRawEmail', 'response lost');
    for (const after of [0, 1, 90])
      await expect(bark(dog, keyed('once'), after)).rejects.toThrow(MailUnknown);
    expect(await usageOf(dog, at)).toMatchObject({ mails: 1 });
  });
});

describe('A schedule that begins now', () => {
  const setters = {
    POST: (dog: string, user?: string) =>
      postSchedule(
        dog,
        { token: 7, next: 0, frequency: 10, ...(user !== undefined && { user }) },
        newContext(),
      ),
    PATCH: (dog: string, user?: string) =>
      patchSchedule(
        dog,
        {
          user,
          since: at,
          body: Buffer.from('{}'),
          precondition: {},
          content: { patch: { next: 0, frequency: 10 } },
        },
        newContext(),
      ),
  };

  test.each(['POST', 'PATCH'] as const)(
    'counts for the dog and the user, and is refused: %s',
    async (method) => {
      setLimits({ mailsPerDog: 1, barksPerUser: 9 });
      const dog = await dogWith('sync', 'emailDog', 'record');
      const user = `hal-${method}`;
      await setters[method](dog, user);
      expect(await usageOf(dog, at)).toMatchObject({ mails: 1 });
      expect(await usageOf(`u#${user}`, at)).toMatchObject({ barks: 1 });
      const other = await dogWith('sync', 'emailDog', 'record');
      await bark(other);
      reset();
      await refusalOf(setters[method](other));
      expect(standing(other)).toEqual([]);
      expect(await shown(other)).toMatchObject({ barkCount: 1, next: null });
      expect(sent()).toEqual([]);
    },
  );
});

describe('An occurrence', () => {
  async function scheduledDog(...effects: Effect[]) {
    const dog = await newDog('sync', effects);
    await post(dog, 1, { next: at + 600 });
    const schedule = standingOf(dog);
    reset();
    return {
      dog,
      fire: (n: number) => deliver(occurrenceOf(schedule, n), newContext({ after: 600 * (n + 1) })),
    };
  }

  test('counts its mail, and barks without mail if the limit is reached', async () => {
    setLimits({ mailsPerDog: 1, mailsPerUser: 1 });
    const { dog, fire } = await scheduledDog('emailDog', 'record');
    await fire(0);
    expect(calls()).toEqual(['GetItem', 'TransactWriteItems', 'SendRawEmail', 'UpdateItem']);
    reset();
    await fire(1);
    expect(calls()).toEqual(['GetItem', 'TransactWriteItems', 'TransactWriteItems']);
    expect(sent()).toEqual([]);
    expect(logs.error).toEqual([{ event: 'MailDropped', dog, bark: expect.stringMatching(/^s/) }]);
    await fire(1);
    expect(sent()).toEqual([]);
    expect((await shown(dog, 1_300)).barkCount).toBe(2);
    expect(await usageOf(dog, at)).toMatchObject({ mails: 1 });
    await fire(6);
    expect(sent()).toHaveLength(1);
  });

  test('is neither counted nor refused by the limit of barks', async () => {
    setLimits({ barksPerDog: 1 });
    const { dog, fire } = await scheduledDog('record');
    await bark(dog);
    await fire(0);
    expect((await shown(dog, 700)).barkCount).toBe(2);
    expect(await usageOf(dog, at)).toMatchObject({ barks: 1 });
  });
});

describe('A window', () => {
  test('has the length of the setting and begins at a multiple of it', async () => {
    setLimits({ barksPerDog: 1, limitWindowMinutes: 1 });
    const dog = await dogWith('sync', 'record');
    await bark(dog, {}, 59);
    expect((await refusalOf(bark(dog, {}, 59))).secondsLeft).toBe(1);
    await bark(dog, {}, 60);
    await refusalOf(bark(dog, {}, 119));
    expect(await usageOf(dog, at + 60)).toMatchObject({ barks: 1, expires: at + 120 + 300 });
  });
});
