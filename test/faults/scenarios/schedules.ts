import { isDeepStrictEqual } from 'node:util';
import { handler as deleteBarkSchedule } from '../../../lambdas/api/dogs/bark-schedule/delete.ts';
import { handler as postBarkSchedule } from '../../../lambdas/api/dogs/bark-schedule/post.ts';
import { handler as patchDog } from '../../../lambdas/api/dogs/patch.ts';
import type { Effect } from '../../../lambdas/domain/dogs/dog.ts';
import { postSchedule } from '../../../lambdas/domain/schedules/change.ts';
import { handler as barkOnSchedule } from '../../../lambdas/jobs/bark-on-schedule.ts';
import { context } from '../../../tools/invocation.ts';
import { newDog } from '../../support/dogs.ts';
import type { StandingSchedule } from '../../support/faults.ts';
import { occurrenceOf } from '../../support/schedules.ts';
import { isLive } from '../model/schedule-rules.ts';
import {
  again,
  checkRepeatable,
  now,
  request,
  type Scenario,
  type Subject,
  type Verdict,
} from '../scenario.ts';
import { isOf, orphansOf, type State, stateOf } from '../state.ts';
import { type InvocationResult, isDone, statusOf, type Trial } from '../trial.ts';

const at = now / 1000;
const inTenMinutes = at + 600;

interface Setting {
  readonly of: string;
  readonly as: string;
  readonly usual: number[];
  readonly effects?: Effect[];
  /** The requested schedule. With `next: 0`, it begins when the request is applied. Null ends the schedule. */
  readonly requested: { readonly next: number; readonly frequency: number | null } | null;
  /** The earlier schedule of the dog. By default, the dog has none. */
  readonly former?: { readonly token: number; readonly next: number };
  /** True if the request repeats an applied request, and must therefore change nothing. */
  readonly repeats?: boolean;
  act(dog: string): Subject['act'];
}

/** Returns the schedule of a dog without its ID. */
function scheduleOf({ dog }: State) {
  const { start, frequency, ended = false } = dog?.schedule ?? {};
  return { start, frequency, ended };
}

function setting({
  of,
  as,
  usual,
  effects = ['record'],
  requested,
  former,
  repeats = false,
  act: actOn,
}: Setting): Scenario {
  return {
    of,
    as,
    async begin() {
      const dog = await newDog('sync', effects);
      const context = { now: now - 60_000, signal: new AbortController().signal };
      if (former) await postSchedule(dog, { ...former, frequency: 10 }, context);
      const before = await stateOf(dog);
      const changes = (state: State) =>
        Number(state.dog?.settingsVersion) - Number(before.dog?.settingsVersion);
      const act = actOn(dog);
      const atOnce = requested?.next === 0;
      /** Returns the expected schedule. @param time the time at which the request was applied, in Unix seconds */
      const expected = (time: number) =>
        requested
          ? { start: requested.next || time, frequency: requested.frequency, ended: false }
          : { ...scheduleOf(before), ended: true };
      return {
        act,
        check: (first, trial) =>
          checkRepeatable({ dog, before, act, usual }, first, trial, async (verdict, after, end) => {
            const most = repeats ? 0 : 1;
            for (const state of [after, end]) {
              const own = changes(state);
              verdict.expectThat(own <= most, `it is applied ${own} times`);
              const barked = state.history.length - before.history.length;
              verdict.checkBarks(barked, { least: atOnce ? own : 0 });
            }
            const [scheduleAfter, scheduleAtEnd] = [after, end].map((state) => scheduleOf(state));
            const isApplied = changes(after) > 0;
            verdict.expectThat(
              isDeepStrictEqual(scheduleAfter, isApplied ? expected(at) : scheduleOf(before)),
              'the schedule is neither the old one nor the new one',
            );
            verdict.expectThat(
              isDeepStrictEqual(scheduleAtEnd, isApplied ? scheduleAfter : expected(at + 1 + trial.ahead)),
              'the schedule is not the requested one',
            );
            verdict.expectThat(
              statusOf(first) !== 403 || changes(after) === 0,
              'it is applied, but the response is 403',
            );
            verdict.checkBarks(changes(after), { least: isDone(first) ? most : 0, most });
            verdict.checkBarks(changes(end), { least: most });
            if (effects.includes('emailDog')) {
              const failed = changes(after) > 0 && !isDone(first);
              verdict.recordMail(trial.sent.length, failed || trial.alarmed('MailFailed'));
            }
            await fireAll(dog, end, verdict, trial);
          }),
      };
    },
  };
}

/** Delivers an occurrence of each schedule in EventBridge Scheduler. Only the dog's current schedule may have an effect. */
async function fireAll(dog: string, state: State, verdict: Verdict, trial: Trial): Promise<void> {
  for (const orphan of orphansOf(state)) {
    const fired = await fire(orphan, trial);
    verdict.expectThat(isDone(fired), 'the occurrence of an orphan fails');
  }
  const after = await stateOf(dog);
  verdict.expectThat(orphansOf(after).length === 0, 'EventBridge Scheduler still has an orphan');
  const stored = (one: State) => ({ ...one, schedules: undefined });
  verdict.expectThat(isDeepStrictEqual(stored(after), stored(state)), 'an orphan has changed something');
  if (!after.dog || !isLive(after.dog.schedule)) return;
  const own = after.schedules.find((one) => after.dog && isOf(one, after.dog));
  if (own) await fire(own, trial);
  const end = await stateOf(dog);
  verdict.checkState(end, after);
  verdict.checkBarks(end.history.length, { least: after.history.length + 1 });
}

function fire(schedule: StandingSchedule, trial: Trial): Promise<InvocationResult> {
  const occurrence = occurrenceOf(schedule);
  return again((limit) => barkOnSchedule(occurrence, context(1_000 + limit)), trial, 1_200);
}

function post(body: object, headers: Record<string, string> = {}): Setting['act'] {
  return (dog) =>
    request(postBarkSchedule, 'PostBarkSchedule', {
      pathParameters: { dog_id: dog },
      headers,
      body: JSON.stringify(body),
    });
}

function patch(barks: object | null): Setting['act'] {
  return (dog) =>
    request(patchDog, 'PatchDog', {
      pathParameters: { dog_id: dog },
      headers: { 'If-Unmodified-Since': new Date(now).toUTCString() },
      body: JSON.stringify({ barks }),
    });
}

/** A PATCH that changes nothing. After the client gets a response, a repeat must not undo a change of another client. */
const patchWithoutChange: Scenario = {
  of: 'PATCH a dog',
  as: 'that changes nothing',
  async begin() {
    const dog = await newDog('sync', ['record']);
    const before = await stateOf(dog);
    const act = patch(null)(dog);
    return {
      act,
      check: (first, trial) =>
        checkRepeatable({ dog, before, act, usual: [204] }, first, trial, async (verdict, _, end) => {
          verdict.expectThat(isDeepStrictEqual(end.dog, before.dog), 'it has changed the dog');
          const other = { token: 9, next: inTenMinutes, frequency: 10 };
          verdict.checkResponse(await again(post(other)(dog), trial, 2), 205);
          const changed = await stateOf(dog);
          verdict.checkResponse(await again(act, trial, 3), 204);
          const last = await stateOf(dog);
          verdict.expectThat(
            isDeepStrictEqual(last, changed),
            'its repeat has undone the change of another client',
          );
        }),
    };
  },
};

const former = { token: 1, next: at + 300 };

export const schedules: readonly Scenario[] = [
  ...(
    [
      ['POST bark-schedule', (body: object) => post({ token: 2, ...body }), [205, 502]],
      ['PATCH a dog', patch, [205, 204, 403]],
    ] as const
  ).flatMap(([of, set, usual]) =>
    (
      [
        { as: 'in ten minutes', requested: { next: inTenMinutes, frequency: 10 } },
        { as: 'from now on', requested: { next: 0, frequency: 10 } },
        { as: 'now, once', requested: { next: 0, frequency: null } },
        {
          as: 'from now on, with mail',
          effects: ['emailDog', 'record'],
          requested: { next: 0, frequency: 10 },
        },
        { as: 'instead of another', former, requested: { next: inTenMinutes, frequency: 1 } },
        { as: 'once instead of another', former, requested: { next: inTenMinutes, frequency: null } },
        {
          as: 'from now on instead of another',
          former,
          requested: { next: 0, frequency: 1 },
        },
      ] satisfies Omit<Setting, 'of' | 'usual' | 'act'>[]
    ).map((variant) => setting({ of, usual: [...usual], act: set(variant.requested), ...variant })),
  ),
  setting({
    of: 'POST bark-schedule',
    as: 'with a token that was sent before',
    usual: [205],
    former: { token: 3, next: inTenMinutes },
    repeats: true,
    requested: { next: inTenMinutes, frequency: 10 },
    act: post({ token: 3, next: inTenMinutes, frequency: 10 }),
  }),
  setting({
    of: 'PATCH a dog',
    as: 'to end a schedule',
    usual: [205, 204],
    former,
    requested: null,
    act: patch(null),
  }),
  patchWithoutChange,
  setting({
    of: 'POST bark-schedule',
    as: 'instead of another, with If-Match: *',
    usual: [205, 502],
    former,
    requested: { next: inTenMinutes, frequency: 1 },
    act: post({ token: 2, next: inTenMinutes, frequency: 1 }, { 'If-Match': '*' }),
  }),
  ...[{}, { 'If-Match': '*' }].map((headers: Record<string, string>) =>
    setting({
      of: 'DELETE bark-schedule',
      as: `of a running schedule${'If-Match' in headers ? ', with If-Match: *' : ''}`,
      usual: [204],
      former,
      requested: null,
      act: (dog) =>
        request(deleteBarkSchedule, 'DeleteBarkSchedule', { pathParameters: { dog_id: dog }, headers }),
    }),
  ),
];
