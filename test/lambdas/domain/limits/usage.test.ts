import type { BarkRequest } from '../../../../lambdas/domain/barks/bark.ts';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import type { Dog, Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import { LimitReached } from '../../../../lambdas/domain/limits/limit-reached.ts';
import { countUsage, uncountUsage, usageOfBark } from '../../../../lambdas/domain/limits/usage.ts';
import { MailNotSent, MailRefused, MailUnavailable } from '../../../../lambdas/domain/platform/errors.ts';
import { at, newContext } from '../../../support/context.ts';
import { newDog, settingsOf } from '../../../support/dogs.ts';
import { calls, plan, reset, running, sent, standingOf, useFunctions } from '../../../support/faults.ts';
import { setLimits, usageOf } from '../../../support/limits.ts';
import { useLogs } from '../../../support/logs.ts';
import { deliver, occurrenceOf, post, shown } from '../../../support/schedules.ts';

useFunctions();
const logs = useLogs();
afterEach(() => setLimits(undefined));

const hour = 3_600;
const usage = { dog: 'rex', user: 'ann', counters: ['barks', 'mails'] } as const;

/** Returns the update that adds to the counters of a window. @param maxima the limits of the counters, if they apply */
function updateOf(
  partition: string,
  counters: readonly ('barks' | 'mails')[],
  change: 1 | -1,
  { start = at, length = hour, maxima }: { start?: number; length?: number; maxima?: readonly number[] } = {},
) {
  const limits = maxima?.map((limit, n) => [`:${counters[n]}`, limit]) ?? [];
  return {
    Update: {
      TableName: process.env.BARKS_TABLE,
      Key: { dog: partition, sk: `l#${start}` },
      UpdateExpression: `SET expires = :expires ADD ${counters.map((one) => `${one} :change`).join(', ')}`,
      ExpressionAttributeValues: {
        ':expires': start + length + 300,
        ':change': change,
        ...Object.fromEntries(limits),
      },
      ...(maxima && {
        ConditionExpression: counters
          .map((one) => `(attribute_not_exists(${one}) OR ${one} < :${one})`)
          .join(' AND '),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    },
  };
}

describe('usageOfBark', () => {
  test.each<[Effect[], string[]]>([
    [['record'], ['barks']],
    [['emailDog'], ['barks', 'mails']],
  ])('counts for the effects %j: %j', (effects, counters) => {
    const dog = { id: 'rex', settings: { ...settingsOf(...effects), email: 'rex@example.com' } } as Dog;
    expect(usageOfBark(dog, 'ann')).toEqual({ dog: 'rex', user: 'ann', counters });
  });
});

describe('countUsage and uncountUsage', () => {
  test('write nothing if no limit applies', () => {
    for (const limits of [undefined, {}, { barksPerUser: 5 }, { mailsPerDog: 5 }]) {
      setLimits(limits);
      const ofBark = { ...usage, user: undefined, counters: ['barks'] } as const;
      expect(countUsage(ofBark, newContext()).actions).toEqual([]);
      expect(uncountUsage(ofBark, newContext()).actions).toEqual([]);
    }
  });

  test('write only the counters that have a limit', () => {
    setLimits({ barksPerDog: 2, mailsPerDog: 3, mailsPerUser: 4 });
    expect(countUsage(usage, newContext({ after: 30 })).actions).toEqual([
      updateOf('rex', ['barks', 'mails'], 1, { maxima: [2, 3] }),
      updateOf('u#ann', ['mails'], 1, { maxima: [4] }),
    ]);
    const part = uncountUsage(usage, newContext({ after: 30 }));
    expect(part.actions).toEqual([updateOf('rex', ['barks', 'mails'], -1), updateOf('u#ann', ['mails'], -1)]);
    expect(part.judge([])).toBe('written');
  });

  test.each([
    [1, 59, at],
    [1, 60, at + 60],
    [420, 0, at - 14_400],
  ])('write to the window of %i minutes that contains the time %i: %i', (minutes, after, start) => {
    setLimits({ barksPerDog: 1, limitWindowMinutes: minutes });
    const { actions } = countUsage(usage, newContext({ after }));
    expect(actions).toEqual([updateOf('rex', ['barks'], 1, { start, length: minutes * 60, maxima: [1] })]);
  });

  const failure = (item?: object) => ({ item: item as Record<string, unknown>, wasRetried: false });
  const [perDog, perUser] = [
    { name: 'mailsPerDog', limit: 2 },
    { name: 'mailsPerUser', limit: 3 },
  ];
  test.each([
    ['both limits', [failure({ mails: 2 }), failure({ mails: 4 })], [perDog, perUser]],
    ['the limit of the user', [failure({ mails: 1 }), failure({ mails: 3 })], [perUser]],
    ['the limit of the dog', [failure({ mails: 2 }), undefined], [perDog]],
    ['no limit', [failure(), failure({ barks: 9 })], []],
  ])('refuse with the limits that are reached: %s', (_, failures, reached) => {
    setLimits({ barksPerDog: 5, mailsPerDog: 2, mailsPerUser: 3 });
    const { refusal } = countUsage(usage, newContext({ after: 30 })).judge(failures) as {
      refusal: LimitReached;
    };
    expect(refusal).toBeInstanceOf(LimitReached);
    expect(refusal).toMatchObject({ reached, windowSeconds: hour, secondsLeft: hour - 30 });
  });
});

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

describe('With a limit of 1, the second bark is refused', () => {
  test.each<['sync' | 'async', Effect[], string[]]>([
    ['sync', ['record'], ['GetItem', 'TransactWriteItems']],
    ['async', ['record'], ['GetItem', 'StartExecution', 'TransactWriteItems']],
    ['sync', ['emailDog'], ['GetItem', 'TransactWriteItems', 'SendRawEmail']],
  ])('%s with %j', async (handling, effects, made) => {
    setLimits({ barksPerDog: 1 });
    const dog = await dogWith(handling, ...effects);
    await bark(dog);
    expect(calls()).toEqual(made);
    const mails = sent().length;
    await expect(bark(dog, {}, 30)).rejects.toThrow(LimitReached);
    expect(sent()).toHaveLength(mails);
    await bark(dog, {}, hour);
  });
});

describe('With an Idempotency-Key', () => {
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
    await expect(bark(dog, keyed('another'))).rejects.toThrow(LimitReached);
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
