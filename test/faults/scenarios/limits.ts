import { handler as postBarkSchedule } from '../../../lambdas/api/dogs/bark-schedule/post.ts';
import { handler as postBarks } from '../../../lambdas/api/dogs/barks/post.ts';
import { handler as patchDog } from '../../../lambdas/api/dogs/patch.ts';
import type { DogSettings, Effect } from '../../../lambdas/domain/dogs/dog.ts';
import { postSchedule } from '../../../lambdas/domain/schedules/change.ts';
import { handler as barkOnSchedule } from '../../../lambdas/jobs/bark-on-schedule.ts';
import { context, sampleEvent } from '../../../tools/invocation.ts';
import { newDog } from '../../support/dogs.ts';
import { standingOf } from '../../support/faults.ts';
import type { TestLimits } from '../../support/limits.ts';
import { occurrenceOf } from '../../support/schedules.ts';
import { again, ample, now, request, type Scenario, type Subject, Verdict } from '../scenario.ts';
import { stateOf } from '../state.ts';
import { type InvocationResult, isDone, Sandbox, statusOf, Trial } from '../trial.ts';
import { retriesOfLambda, until } from './executions.ts';

const at = now / 1000;

/** The start of the next window plus a time that is longer than the difference between two clocks, in seconds from `now`. */
const nextWindow = 3_600 + 60;

/** The last request is in the next window. */
const last = 5;

/** Returns the time of the nth request of a scenario, in seconds from `now`. The first is number 1. */
function timeOf(n: number): number {
  if (n === 1) return 0;
  return n === last ? nextWindow : 300 + n;
}

/** Returns the nth request that makes a dog bark. Two requests with different numbers are two barks. */
type Send = (dog: string, n: number) => Subject['act'];

/** The properties of a request by a user with the same name as the dog. */
function byOwnUser(sample: string, dog: string) {
  const { requestContext } = sampleEvent(sample);
  return {
    pathParameters: { dog_id: dog },
    requestContext: { ...requestContext, authorizer: { principalId: dog } },
  };
}

const bark: Send = (dog) => request(postBarks, 'PostBarks', byOwnUser('PostBarks', dog));

const keyedBark: Send = (dog, n) =>
  request(postBarks, 'PostBarks', {
    ...byOwnUser('PostBarks', dog),
    headers: { 'Idempotency-Key': `"key ${n}"` },
  });

const setSchedule: Send = (dog, n) =>
  request(postBarkSchedule, 'PostBarkSchedule', {
    ...byOwnUser('PostBarkSchedule', dog),
    body: JSON.stringify({ token: n, next: 0, frequency: 10 }),
  });

const patch: Send = (dog, n) =>
  request(patchDog, 'PatchDog', {
    ...byOwnUser('PatchDog', dog),
    headers: { 'If-Unmodified-Since': new Date(now + (timeOf(n) + 10) * 1000).toUTCString() },
    body: JSON.stringify({ barks: { next: 0, frequency: n + 1 } }),
  });

interface Request {
  readonly of: string;
  readonly as: string;
  readonly limits: TestLimits;
  readonly handling: DogSettings['barkHandling'];
  readonly effects: Effect[];
  readonly send: Send;
  /** The usual statuses of the request. */
  readonly usual: number[];
}

/** The limit of every scenario. One bark uses the first place before the request. */
const limit = 2;

/**
 * Returns the scenario of a request that takes the last place. After it, the dog barks until a limit refuses the next bark. In the
 * next window, the dog barks again, so that no fault uses up a place for longer than a window.
 */
function lastPlace({ of, as, limits, handling, effects, send, usual }: Request): Scenario {
  return {
    of,
    as,
    limits,
    async begin() {
      const dog = await newDog(handling, effects);
      const earlier = new Trial();
      await earlier.run(() => bark(dog, 0)(ample), new Sandbox(now));
      const mailed = effects.includes('emailDog');
      /** Returns the number of mails or barks that the limit concerns. The mail of an asynchronous bark counts when it is accepted. */
      const used = async (trial: Trial) => {
        const { history, barks } = await stateOf(dog);
        if (handling === 'async') return barks.length;
        return mailed ? earlier.sent.length + trial.sent.length : history.length;
      };
      return {
        act: send(dog, 1),
        async check(first, trial) {
          const verdict = new Verdict();
          // If the service forgets the token of a transaction, the repeat can count again, and find the limit reached.
          verdict.checkResponse(first, ...usual, 429);
          verdict.checkState(await stateOf(dog));
          if (mailed && handling === 'sync')
            verdict.recordMail(trial.sent.length, !isDone(first) || trial.alarmed('MailFailed'));
          const followers: InvocationResult[] = [];
          for (let n = 2; n < last; n++) followers.push(await again(send(dog, n), trial, timeOf(n)));
          for (const one of followers) verdict.checkResponse(one, ...usual, 429);
          const refused = followers.filter((one) => statusOf(one) === 429);
          verdict.expectThat(refused.length >= (isDone(first) ? 3 : 2), 'the limit refuses too few barks');
          for (const one of refused) checkRefusal(verdict, one);
          verdict.overLimit += Math.max(0, (await used(trial)) - limit);
          const before = await used(trial);
          const late = await again(send(dog, last), trial, nextWindow);
          verdict.expectThat(isDone(late), `the budget is still used up: ${statusOf(late)}`);
          verdict.expectThat((await used(trial)) === before + 1, 'the next window does not count one bark');
          return verdict;
        },
      };
    },
  };
}

function checkRefusal(verdict: Verdict, one: InvocationResult): void {
  const headers = one.kind === 'responded' ? (one.result.headers ?? {}) : {};
  for (const name of ['Retry-After', 'RateLimit', 'RateLimit-Policy'])
    verdict.expectThat(name in headers, `the 429 has no ${name}`);
}

/** Returns the scenario of an occurrence. @param reached true if a bark has already used the only place */
function occurrence(as: string, reached: boolean): Scenario {
  return {
    of: 'bark-on-schedule, limited',
    as,
    limits: { mailsPerDog: 1 },
    mail: reached ? 'not sent, reported' : 'mail sent once',
    async begin() {
      const dog = await newDog('sync', ['emailDog', 'record']);
      const context_ = { now: now - 600_000, signal: new AbortController().signal };
      await postSchedule(dog, { token: 1, next: at, frequency: 10 }, context_);
      const schedule = standingOf(dog);
      const earlier = new Trial();
      if (reached) await earlier.run(() => bark(dog, 0)(ample), new Sandbox(now));
      const before = reached ? 1 : 0;
      const deliver =
        (n: number): Subject['act'] =>
        (time) =>
          barkOnSchedule(occurrenceOf(schedule, n), context(1_000 + time, `delivery ${n}`));
      return {
        act: deliver(0),
        async check(first, trial) {
          const verdict = new Verdict();
          const retried = await until(first, retriesOfLambda, deliver(0), trial);
          verdict.expectThat(isDone(retried), 'the last retry of Lambda fails');
          verdict.checkBarks((await stateOf(dog)).history.length, { least: before + 1 });
          const reported = trial.alarmed('MailFailed') || trial.alarmed('MailDropped');
          verdict.recordMail(trial.sent.length, reported);
          await again(deliver(1), trial, 700);
          const state = await stateOf(dog);
          verdict.checkState(state);
          verdict.checkBarks(state.history.length, { least: before + 2 });
          verdict.expectThat(trial.alarmed('MailDropped'), 'a dropped mail is not reported');
          verdict.overLimit += Math.max(0, before + trial.sent.length - 1);
          const mails = trial.sent.length;
          await again(deliver(6), trial, nextWindow);
          verdict.expectThat(trial.sent.length === mails + 1, 'the next window has no place for a mail');
          return verdict;
        },
      };
    },
  };
}

const mails: TestLimits = { mailsPerDog: limit, mailsPerUser: limit };
const mailAndRecord: Effect[] = ['emailDog', 'record'];

export const limits: readonly Scenario[] = [
  lastPlace({
    of: 'POST barks, limited',
    as: 'record',
    limits: { barksPerDog: limit, barksPerUser: limit },
    handling: 'sync',
    effects: ['record'],
    send: bark,
    usual: [201],
  }),
  lastPlace({
    of: 'POST barks, limited',
    as: 'emailDog, record',
    limits: mails,
    handling: 'sync',
    effects: mailAndRecord,
    send: bark,
    usual: [201, 502, 504],
  }),
  lastPlace({
    of: 'POST barks, limited',
    as: 'emailDog, record, with a key',
    limits: mails,
    handling: 'sync',
    effects: mailAndRecord,
    send: keyedBark,
    usual: [201, 502, 504],
  }),
  lastPlace({
    of: 'POST barks, limited',
    as: 'asynchronous',
    limits: mails,
    handling: 'async',
    effects: mailAndRecord,
    send: bark,
    usual: [202],
  }),
  lastPlace({
    of: 'POST barks, limited',
    as: 'asynchronous, with a key',
    limits: { ...mails, barksPerDog: limit },
    handling: 'async',
    effects: mailAndRecord,
    send: keyedBark,
    usual: [202],
  }),
  lastPlace({
    of: 'POST bark-schedule, limited',
    as: 'from now on, with mail',
    limits: mails,
    handling: 'sync',
    effects: mailAndRecord,
    send: setSchedule,
    usual: [205, 502],
  }),
  lastPlace({
    of: 'PATCH a dog, limited',
    as: 'from now on, with mail',
    limits: mails,
    handling: 'sync',
    effects: mailAndRecord,
    send: patch,
    usual: [205, 403],
  }),
  occurrence('that takes the last place', false),
  occurrence('with the limit reached', true),
];
