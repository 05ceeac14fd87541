import type { Dog, Effect } from '../../../../lambdas/domain/dogs/dog.ts';
import {
  countUsage,
  LimitReached,
  uncountUsage,
  usageOfBark,
} from '../../../../lambdas/domain/limits/usage.ts';
import { at, newContext } from '../../../support/context.ts';
import { settingsOf } from '../../../support/dogs.ts';
import { setLimits } from '../../../support/limits.ts';

process.env.BARKS_TABLE = 'barks';
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
      TableName: 'barks',
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

test.each<[Effect[], string[]]>([
  [['record'], ['barks']],
  [['emailDog'], ['barks', 'mails']],
])('usageOfBark counts for the effects %j: %j', (effects, counters) => {
  const dog = { id: 'rex', settings: { ...settingsOf(...effects), email: 'rex@example.com' } } as Dog;
  expect(usageOfBark(dog, 'ann')).toEqual({ dog: 'rex', user: 'ann', counters });
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
