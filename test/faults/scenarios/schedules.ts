import { isDeepStrictEqual } from 'node:util';
import type { Effect } from '../../../lambdas/domain/dogs/dog.ts';
import { handler as barkOnSchedule } from '../../../lambdas/jobs/bark-on-schedule.ts';
import { context } from '../../../tools/invocation.ts';
import type { StandingSchedule } from '../../support/faults.ts';
import { occurrenceOf } from '../../support/schedules.ts';
import { isLive } from '../model/schedule-rules.ts';
import { type JudgedCall, Oracle } from '../oracle.ts';
import { again, at, now, request, type Scenario, type Verdict } from '../scenario.ts';
import { isOf, orphansOf, type State, stateOf } from '../state.ts';
import { type InvocationResult, isDone, type Trial } from '../trial.ts';

const inTenMinutes = at + 600;

interface Setter extends Omit<JudgedCall, 'act'> {
  readonly of: keyof typeof routes;
  readonly changes: Parameters<typeof request>[1];
}

interface Variant {
  readonly as: string;
  readonly effects?: Effect[];
  /** True if the dog has had a schedule, which was set with the token 1, for a minute. */
  readonly isScheduled?: true;
}

/** Returns the scenario of a request whose repeat has no effect, even after another client's change. */
function setting(
  { of, changes, ...judged }: Setter,
  { as, effects = ['record'], isScheduled }: Variant,
): Scenario {
  return {
    of,
    as,
    async begin() {
      const oracle = await Oracle.ofDog('sync', effects);
      if (isScheduled) await oracle.perform(-60, (actor) => actor.post(1, at + 300, 10));
      const pathParameters = { dog_id: oracle.dog };
      const call = { act: request(routes[of], { ...changes, pathParameters }), ...judged };
      return oracle.subject(call, async (verdict, { outcome, trial, first, repeat: { mails } }) => {
        if (effects.includes('emailDog')) {
          const hasFailed = first.happened && !isDone(outcome);
          verdict.recordMail(mails, hasFailed || trial.alarmed('MailFailed'));
        }
        await oracle.perform(2, (actor) => actor.post(9, inTenMinutes, 10));
        const { state } = await oracle.repeat(verdict, call, trial, 3);
        await fireAll(oracle, state, verdict, trial);
      });
    },
  };
}

/** Delivers an occurrence of each schedule in EventBridge Scheduler. Only the dog's current schedule may have an effect. */
async function fireAll(oracle: Oracle, state: State, verdict: Verdict, trial: Trial): Promise<void> {
  for (const orphan of orphansOf(state)) {
    const fired = await fire(orphan, trial);
    verdict.expectThat(isDone(fired), 'the occurrence of an orphan fails');
  }
  const after = stateOf(oracle.dog);
  verdict.expectThat(orphansOf(after).length === 0, 'EventBridge Scheduler still has an orphan');
  const stored = (one: State) => ({ ...one, schedules: undefined });
  verdict.expectThat(isDeepStrictEqual(stored(after), stored(state)), 'an orphan has changed something');
  if (!after.dog || !isLive(after.dog.schedule)) return;
  const { scheduleId } = after.dog.schedule;
  const standing = after.schedules.find((one) => after.dog && isOf(one, after.dog));
  if (!standing) return;
  await fire(standing, trial);
  oracle.expectOneOf(verdict, [[(actor) => actor.fire({ standing, scheduleId, created: at }, 0)]]);
}

function fire(schedule: StandingSchedule, trial: Trial): Promise<InvocationResult> {
  const occurrence = occurrenceOf(schedule);
  return again((limit) => barkOnSchedule(occurrence, context(1_000 + limit)), trial, 1_200);
}

const routes = {
  'POST bark-schedule': 'PostBarkSchedule',
  'PATCH a dog': 'PatchDog',
  'DELETE bark-schedule': 'DeleteBarkSchedule',
} as const;

interface Schedule {
  readonly next: number;
  readonly frequency: number | null;
}

function post({ next, frequency }: Schedule, token = 2, headers: Record<string, string> = {}): Setter {
  return {
    of: 'POST bark-schedule',
    statuses: { changed: 205, unchanged: 205 },
    refusals: [502],
    changes: { headers, body: JSON.stringify({ token, next, frequency }) },
    changeBy: (actor) => actor.post(token, next, frequency),
  };
}

function patch(barks: Schedule | null): Setter {
  const headers = { 'If-Unmodified-Since': new Date(now).toUTCString() };
  return {
    of: 'PATCH a dog',
    statuses: { changed: 205, unchanged: 204 },
    refusals: [403],
    changes: { headers, body: JSON.stringify({ barks }) },
    changeBy: (actor) => actor.patch(barks, at),
  };
}

function end(headers: Record<string, string> = {}): Setter {
  return {
    of: 'DELETE bark-schedule',
    statuses: { done: 204 },
    changes: { headers },
    changeBy: (actor) => actor.endSchedule(),
  };
}

const ifMatch = { 'If-Match': '*' };
const later = { next: inTenMinutes, frequency: 10 };
const fromNow = { next: 0, frequency: 10 };

const requests: readonly (readonly [Schedule, Variant])[] = [
  [later, { as: 'in ten minutes' }],
  [fromNow, { as: 'from now on' }],
  [{ next: 0, frequency: null }, { as: 'now, once' }],
  [fromNow, { as: 'from now on, with mail', effects: ['emailDog', 'record'] }],
  [
    { next: inTenMinutes, frequency: 1 },
    { as: 'instead of another', isScheduled: true },
  ],
  [
    { next: inTenMinutes, frequency: null },
    { as: 'once instead of another', isScheduled: true },
  ],
  [
    { next: 0, frequency: 1 },
    { as: 'from now on instead of another', isScheduled: true },
  ],
];

export const schedules: readonly Scenario[] = [
  ...[post, patch].flatMap((set) => requests.map(([schedule, variant]) => setting(set(schedule), variant))),
  setting(post({ next: at + 300, frequency: 10 }, 1), {
    as: 'with a token that was sent before',
    isScheduled: true,
  }),
  setting(patch(null), { as: 'to end a schedule', isScheduled: true }),
  setting(patch(null), { as: 'that changes nothing' }),
  setting(post({ next: inTenMinutes, frequency: 1 }, 2, ifMatch), {
    as: 'instead of another, with If-Match: *',
    isScheduled: true,
  }),
  setting(end(), { as: 'of a running schedule', isScheduled: true }),
  setting(end(ifMatch), { as: 'of a running schedule, with If-Match: *', isScheduled: true }),
];
