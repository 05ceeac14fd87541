import { isDeepStrictEqual } from 'node:util';
import { handler as postLastBark } from '../../../lambdas/api/dogs/bark/post.ts';
import { handler as deleteBark } from '../../../lambdas/api/dogs/barks/delete.ts';
import { handler as postBarks } from '../../../lambdas/api/dogs/barks/post.ts';
import { isCounted } from '../../../lambdas/domain/barks/bark.ts';
import { createBark } from '../../../lambdas/domain/barks/create.ts';
import { sortKey } from '../../../lambdas/domain/barks/keys.ts';
import type { Effect } from '../../../lambdas/domain/dogs/dog.ts';
import { handler as takeEffect } from '../../../lambdas/jobs/take-effect.ts';
import { context } from '../../../tools/invocation.ts';
import { newDog } from '../../support/dogs.ts';
import { started } from '../../support/faults.ts';
import { again, judgeRepeatable, now, request, type Scenario, Verdict } from '../scenario.ts';
import { stateOf } from '../state.ts';
import { type Answer, isDone, statusOf, type Trial } from '../trial.ts';

const routes = {
  'POST barks': { handler: postBarks, sample: 'PostBarks', noted: false },
  'POST bark': { handler: postLastBark, sample: 'PostLastBark', noted: true },
} as const;
type Route = keyof typeof routes;

function barkNow(of: Route, status: number, ...effects: Effect[]): Scenario {
  const { handler, sample, noted } = routes[of];
  const kept = noted || isCounted(effects) ? 1 : 0;
  const mailed = effects.some((effect) => effect.startsWith('email'));
  const refusals = mailed ? [502] : [];
  return {
    of,
    as: effects.join(', '),
    async begin() {
      const dog = await newDog('sync', effects);
      const act = request(handler, sample, { pathParameters: { dog_id: dog } });
      return {
        act,
        async judge(first, trial) {
          const verdict = new Verdict();
          verdict.answered(first, status, ...refusals);
          const state = await stateOf(dog);
          verdict.whole(state);
          verdict.barks(state.history.length, isDone(first) ? { least: kept } : { least: 0, most: kept });
          const mails = trial.sent.length;
          if (mailed) {
            verdict.mailed(mails, !isDone(first));
            verdict.hold(state.history.length <= mails || !kept, 'it is stored, and its mail was not sent');
            if (first.kind === 'answered' && /No mail was sent|refused/.test(first.result.body))
              verdict.hold(mails === 0, 'a mail was sent that is said not to be');
          }
          const second = await again(act, trial);
          verdict.hold(statusOf(second) === status, `the next bark is ${statusOf(second)}`);
          const end = await stateOf(dog);
          verdict.whole(end, state);
          verdict.barks(end.history.length, { least: state.history.length + kept });
          verdict.hold(trial.sent.length === mails + (mailed ? 1 : 0), 'the next bark did not mail once');
          return verdict;
        },
      };
    },
  };
}

function accept(
  of: Route,
  as: string,
  handling: 'sync' | 'async',
  effects: Effect[],
  headers: Record<string, string> = {},
): Scenario {
  const { handler, sample } = routes[of];
  const mailed = effects.some((effect) => effect.startsWith('email'));
  return {
    of: `${of}, asynchronous`,
    as,
    async begin() {
      const dog = await newDog(handling, effects);
      const act = request(handler, sample, { pathParameters: { dog_id: dog }, headers });
      return {
        act,
        async judge(first, trial) {
          const verdict = new Verdict();
          verdict.answered(first, 202);
          const state = await stateOf(dog);
          verdict.whole(state);
          verdict.barks(state.barks.length, isDone(first) ? { least: 1 } : { least: 0, most: 1 });
          const carried = started(dog).map((execution) => sortKey('asyncBark', execution.bark.slice(1)));
          verdict.hold(
            state.barks.every(({ sk }) => carried.includes(sk)),
            'nobody carries the bark',
          );
          const second = await again(act, trial);
          verdict.hold(statusOf(second) === 202, `the next bark is ${statusOf(second)}`);
          await carry(dog, trial);
          const end = await stateOf(dog);
          verdict.whole(end, state);
          verdict.barks(end.history.length, { least: state.barks.length + 1 });
          const ofFirst = trial.sent.length - 1;
          if (mailed) verdict.mailed(ofFirst, !isDone(first));
          return verdict;
        },
      };
    },
  };
}

/** A bark that is asked for by a key, until its asking is answered: it is one, however often it is asked for. */
function keyed(of: Route, status: number, handling: 'sync' | 'async', ...effects: Effect[]): Scenario {
  const { handler, sample, noted } = routes[of];
  const kept = noted || isCounted(effects) ? 1 : 0;
  const mailed = effects.some((effect) => effect.startsWith('email'));
  const refusals = mailed && handling === 'sync' ? [502] : [];
  return {
    of: `${of}, by a key`,
    as: `${effects.join(', ')}, ${handling}`,
    async begin() {
      const dog = await newDog(handling, effects);
      const headers = { 'Idempotency-Key': '"a key"' };
      const act = request(handler, sample, { pathParameters: { dog_id: dog }, headers });
      return {
        act,
        async judge(first, trial) {
          const verdict = new Verdict();
          verdict.answered(first, status, ...refusals);
          const state = await stateOf(dog);
          verdict.whole(state);
          if (handling === 'async') await carry(dog, trial);
          const mails = trial.sent.length;
          if (mailed) verdict.mailed(mails, !isDone(first));
          // Who died at the mail of a request has it to himself for a minute.
          const soon = await again(act, trial, 2);
          verdict.answered(soon, status, 409);
          const second = isDone(soon) ? soon : await again(act, trial, 62);
          verdict.hold(statusOf(second) === status, `the repeat is ${statusOf(second)}`);
          if (handling === 'async') await carry(dog, trial);
          const end = await stateOf(dog);
          verdict.whole(end, state);
          verdict.barks(end.history.length, { least: kept });
          const third = await again(act, trial, 100);
          verdict.hold(isSame(second, third), 'another repeat is answered otherwise');
          if (!isDone(first)) {
            verdict.hold(trial.sent.length <= mails + 1, 'the repeats have mailed more than once');
            return verdict;
          }
          verdict.hold(isSame(first, second), 'the repeat is answered otherwise');
          verdict.hold(trial.sent.length === mails, 'the repeat of what was done has mailed');
          return verdict;
        },
      };
    },
  };
}

function isSame(one: Answer, other: Answer): boolean {
  const shown = (answer: Answer) =>
    answer.kind === 'answered' && [answer.result.statusCode, answer.result.headers, answer.result.body];
  return isDeepStrictEqual(shown(one), shown(other));
}

/** Lets all executions of a dog do their work, those too that have no bark. */
async function carry(dog: string, trial: Trial): Promise<void> {
  for (const execution of started(dog))
    await again((limit) => takeEffect(execution, context(1_000 + limit)), trial, 10);
}

const cancel: Scenario = {
  of: 'DELETE a bark',
  as: 'that is pending',
  async begin() {
    const dog = await newDog('async', ['emailDog', 'record']);
    const accepted = await createBark(dog, {}, { now, signal: new AbortController().signal });
    if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
    const before = await stateOf(dog);
    const act = request(deleteBark, 'DeleteBark', {
      pathParameters: { dog_id: dog, bark_id: accepted.bark.id },
    });
    return {
      act,
      judge: (first, trial) =>
        judgeRepeatable({ dog, before, act, usual: [204] }, first, trial, async (verdict, after) => {
          if (isDone(first)) verdict.hold(after.barks[0]?.status === 'cancelled', 'it is not cancelled');
          await carry(dog, trial);
          const end = await stateOf(dog);
          verdict.hold(end.barks[0]?.status === 'cancelled', 'it is cancelled no more');
          verdict.barks(end.history.length, { least: 0 });
          verdict.hold(trial.sent.length === 0, 'the mail of a bark was sent that is cancelled');
        }),
    };
  },
};

export const barks: readonly Scenario[] = [
  barkNow('POST barks', 303, 'count'),
  barkNow('POST barks', 201, 'record'),
  barkNow('POST barks', 200, 'emailDog'),
  barkNow('POST barks', 303, 'emailOwner', 'count'),
  barkNow('POST barks', 201, 'emailDog', 'record'),
  barkNow('POST bark', 201, 'record'),
  barkNow('POST bark', 201, 'emailDog'),
  barkNow('POST bark', 201, 'emailDog', 'record'),
  accept('POST barks', 'of an asynchronous dog', 'async', ['record']),
  accept('POST barks', 'of an asynchronous dog, with mail', 'async', ['emailDog', 'record']),
  accept('POST barks', 'as the client prefers', 'sync', ['count'], { Prefer: 'respond-async' }),
  accept('POST bark', 'of an asynchronous dog, with mail alone', 'async', ['emailDog']),
  keyed('POST barks', 201, 'sync', 'record'),
  keyed('POST barks', 200, 'sync', 'emailDog'),
  keyed('POST barks', 201, 'sync', 'emailDog', 'record'),
  keyed('POST barks', 202, 'async', 'emailDog', 'record'),
  keyed('POST bark', 201, 'sync', 'emailDog', 'count'),
  cancel,
];
