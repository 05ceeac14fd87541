import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import {
  type Dog,
  type DogSettings,
  type Effect,
  effects,
  isCounted,
  isRecorded,
  recipientsOf,
} from '../../lambdas/domain/dogs/dog.ts';
import { isLive, occurrenceAfter, type Schedule, upcomingBarks } from '../../lambdas/domain/dogs/schedule.ts';
import * as decisions from '../../lambdas/domain/schedules/decisions.ts';
import {
  isSuspended,
  withLifted,
  withResubscribed,
  withSuspended,
} from '../../lambdas/domain/suspensions/suspension.ts';
import * as effectRules from './model/effect-rules.ts';
import * as scheduleRules from './model/schedule-rules.ts';
import * as suspensionRules from './model/suspension-rules.ts';

/**
 * Compares the rules of the domain with the rules of the reference model, which count where the domain computes. The random
 * races compare them too, but seldom at a limit. This is the only test of this folder that imports rules of the domain.
 */

const now = Date.UTC(2026, 10, 21, 12) / 1000;
const tenYears = 10 * 365 * 86_400;

/** Times at and around each limit of the rules, in seconds from now. */
const fromNow = fc.oneof(
  fc
    .constantFrom(-3_600, -600, -300, -60, 0, 60, 300, 600, tenYears)
    .chain((limit) => fc.constantFrom(limit - 1, limit, limit + 1)),
  fc.integer({ min: -7_200, max: 7_200 }),
);

const frequency = fc.constantFrom(null, 1, 5, 7, 10, 60);

/** Schedules whose next occurrence is near a limit. The dog has barked at all earlier occurrences. */
const schedule = fc
  .record({
    ahead: fromNow,
    frequency,
    barks: fc.nat(20),
    ended: fc.constantFrom(false, false, false, false, true),
  })
  .map(({ ahead, frequency, barks, ended }): Schedule => {
    const period = (frequency ?? 0) * 60;
    const start = now + ahead - barks * period;
    return {
      scheduleId: 'A',
      start,
      frequency,
      ...(barks > 0 && { lastOccurrence: start + (barks - 1) * period }),
      ...(ended && { ended }),
    };
  });

const next = fc.oneof(
  fc.constant(0),
  fromNow.map((ahead) => now + ahead),
);

const patch = fc.option(
  fc.record({ next, frequency: fc.constantFrom(null, 0, 1, 10) }, { requiredKeys: [] }),
);

/** Returns a decision of the domain in the form of the model. */
function decisionOf(
  decide: () => decisions.NewSchedule | 'end' | 'unchanged',
): ReturnType<typeof scheduleRules.patchOf> {
  try {
    const decision = decide();
    if (typeof decision === 'string') return decision;
    const { start, frequency, atOnce, lastOccurrence } = decision;
    return { start, frequency, barksNow: atOnce, hasBarked: !atOnce && lastOccurrence === start };
  } catch {
    return 'refused';
  }
}

/** Compares two results in enough examples to reach each limit. */
function compare<Value>(values: fc.Arbitrary<Value>, resultsOf: (value: Value) => [unknown, unknown]): void {
  const property = fc.property(values, (value) => {
    const [ofDomain, ofModel] = resultsOf(value);
    // Only this comparison is fast enough for so many examples.
    if (!isDeepStrictEqual(ofDomain, ofModel)) expect(ofDomain).toEqual(ofModel);
  });
  fc.assert(property, { numRuns: 2_000 });
}

describe('The domain and the reference model agree', () => {
  test('on the plan for each request of a schedule', () => {
    const former = fc.option(schedule, { nil: undefined });
    compare(fc.tuple(former, fc.record({ next, frequency })), ([schedule, request]) => [
      decisionOf(() => decisions.newSchedule({ ...(schedule && { schedule }) }, request, now * 1000)),
      scheduleRules.planOf(schedule, request, now),
    ]);
  });

  test('on the effect of each patch on each schedule', () => {
    compare(fc.tuple(fc.option(schedule, { nil: undefined }), patch), ([schedule, patch]) => [
      decisionOf(() => decisions.applyPatch({ ...(schedule && { schedule }) }, patch, now * 1000)),
      scheduleRules.patchOf(schedule, patch, now),
    ]);
  });

  test('on what GET shows of each schedule, and on whether it is live', () => {
    compare(schedule, (schedule) => [
      [upcomingBarks({ schedule }, now * 1000), isLive({ schedule })],
      [scheduleRules.upcomingOf(schedule, now), scheduleRules.isLive(schedule)],
    ]);
  });

  test('on the occurrence that follows another', () => {
    compare(fc.tuple(schedule, fc.nat(150)), ([{ start, frequency }, n]) => {
      const at = scheduleRules.nthOccurrence({ start, frequency }, n);
      const following = scheduleRules.nthOccurrence({ start, frequency }, n + 1);
      return [at === null ? null : occurrenceAfter({ start, frequency }, at), following];
    });
  });

  test('on the effects of each bark', () => {
    const addresses: Pick<DogSettings, 'email' | 'owner'>[] = [
      {},
      { email: 'dog@example.com' },
      { owner: 'mailto:owner@example.com' },
      { email: 'dog@example.com', owner: 'mailto:owner@example.com' },
    ];
    const anyEffects = fc.shuffledSubarray<Effect>([...effects]);
    compare(fc.tuple(anyEffects, fc.constantFrom(...addresses)), ([barkEffects, addressed]) => {
      const settings: DogSettings = { ...addressed, barkEffects, barkHandling: 'sync' };
      const recipients = recipientsOf(barkEffects, settings);
      return [
        [
          isCounted(barkEffects),
          isRecorded(barkEffects),
          recipients.length > 0,
          recipients.includes(undefined),
        ],
        [
          effectRules.isCounted(barkEffects),
          effectRules.isRecorded(barkEffects),
          effectRules.sendsMail(barkEffects),
          effectRules.lacksAddress(barkEffects, settings),
        ],
      ];
    });
  });
});

/** A change of the settings of a dog, or of its suspensions, near the time at which its list is full. */
const suspensionStep = fc.record({
  kind: fc.constantFrom('put', 'suspend', 'lift', 'resume'),
  reason: fc.constantFrom('bounced', 'unsubscribed'),
  email: fc.constantFrom('former-0@example.com', 'a@example.com', 'b@example.com'),
  owner: fc.constantFrom('former-1@example.com', 'c@example.com', 'd@example.com'),
  since: fc.nat(20),
});

test('The domain and the reference model agree on the suspensions of a dog, and drop none', () => {
  const property = fc.property(
    fc.integer({ min: 97, max: 100 }),
    fc.array(suspensionStep, { maxLength: 20 }),
    (former, steps) => {
      const settings = { barkEffects: ['emailDog'], barkHandling: 'sync' } satisfies DogSettings;
      const entries = Array.from({ length: former }, (_, since) => ({
        address: `former-${since}@example.com`,
        reason: 'bounced' as const,
        since,
      }));
      let dog: Pick<Dog, 'settings' | 'suspensions'> = { settings, suspensions: entries };
      for (const { kind, reason, email, owner, since } of steps) {
        const { suspensions = [] } = dog;
        const change = {
          put: [suspensions, suspensions],
          suspend: [
            withSuspended(dog, [email, owner], { reason, since }),
            suspensionRules.suspend(dog, [email, owner], reason, since),
          ],
          lift: [withLifted(dog, email, since), suspensionRules.lift(dog, email, since)],
          resume: [withResubscribed(dog, [email], since), suspensionRules.resume(dog, [email], since)],
        }[kind];
        const [after = suspensions, expected] = change ?? [];
        expect(isDeepStrictEqual(after, expected)).toBe(true);
        dog = { ...dog, suspensions: after };
        if (kind === 'put') dog = { ...dog, settings: { ...settings, email, owner: `mailto:${owner}` } };
        for (const one of [email, owner])
          expect(isSuspended(dog, one)).toBe(suspensionRules.isSuspended(dog, one));
      }
      const kept = new Set(dog.suspensions?.map(({ address }) => address));
      expect(entries.every(({ address }) => kept.has(address))).toBe(true);
    },
  );
  fc.assert(property, { numRuns: 300 });
});
