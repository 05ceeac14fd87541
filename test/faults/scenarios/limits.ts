import type { DogSettings, Effect } from '../../../lambdas/domain/dogs/dog.ts';
import { sampleEvent } from '../../../tools/invocation.ts';
import type { TestLimits } from '../../support/limits.ts';
import { type JudgedCall, Oracle } from '../oracle.ts';
import { again, at, request, retriesOfLambda, type Scenario, until } from '../scenario.ts';
import { userOf } from '../state.ts';
import { isDone } from '../trial.ts';
import { schedule } from './executions.ts';

/** The start of the next window plus a time that is longer than the difference between two clocks, in seconds from `now`. */
const nextWindow = 3_600 + 60;

/** The last request is in the next window. */
const last = 5;

function timeOf(n: number): number {
  if (n === 1) return 0;
  return n === last ? nextWindow : 300 + n;
}

/** Returns the nth request that makes a dog bark, by the dog's user. Two requests with different numbers are two barks. */
type Send = (dog: string, n: number) => Pick<JudgedCall, 'act' | 'changeBy' | 'statuses'>;

function send(sample: string, dog: string, changes: Parameters<typeof request>[1] = {}) {
  const { requestContext } = sampleEvent(sample);
  return request(sample, {
    pathParameters: { dog_id: dog },
    requestContext: { ...requestContext, authorizer: { principalId: userOf(dog) } },
    ...changes,
  });
}

const ofBark = { recorded: 201, accepted: 202, LimitReached: 429 };
const ofSchedule = { changed: 205, LimitReached: 429 };

const bark: Send = (dog) => ({
  act: send('PostBarks', dog),
  changeBy: (actor) => actor.bark(),
  statuses: ofBark,
});

const keyedBark: Send = (dog, n) => ({
  act: send('PostBarks', dog, { headers: { 'Idempotency-Key': `"key ${n}"` } }),
  changeBy: (actor) => actor.keyedBark(`key ${n}`),
  statuses: ofBark,
});

const setSchedule: Send = (dog, n) => ({
  act: send('PostBarkSchedule', dog, {
    body: JSON.stringify({ token: n, next: 0, frequency: 10 }),
  }),
  changeBy: (actor) => actor.post(n, 0, 10),
  statuses: ofSchedule,
});

const patch: Send = (dog, n) => {
  const since = at + timeOf(n) + 10;
  const barks = { next: 0, frequency: n + 1 };
  return {
    act: send('PatchDog', dog, {
      headers: { 'If-Unmodified-Since': new Date(since * 1000).toUTCString() },
      body: JSON.stringify({ barks }),
    }),
    changeBy: (actor) => actor.patch(barks, since),
    statuses: ofSchedule,
  };
};

/** The limit of every scenario. One bark uses the first place before the request. */
const limit = 2;
const mails: TestLimits = { mailsPerDog: limit, mailsPerUser: limit };

/**
 * Returns the scenario of a request that takes the last place. After it, the dog barks until a limit refuses the next bark. In the
 * next window, the dog barks again, so that no fault uses up a place for longer than a window.
 */
function lastPlace(
  of: string,
  as: string,
  send: Send,
  {
    limits = mails,
    handling = 'sync',
    effects = ['emailDog', 'record'],
    refusals = [],
  }: Pick<JudgedCall, 'refusals'> & {
    readonly limits?: TestLimits;
    readonly handling?: DogSettings['barkHandling'];
    readonly effects?: Effect[];
  },
): Scenario {
  return {
    of,
    as,
    limits,
    async begin() {
      const oracle = await Oracle.ofDog(handling, effects, { limits });
      await oracle.perform(0, (actor) => actor.bark());
      const callOf = (n: number): JudgedCall => ({
        ...send(oracle.dog, n),
        refusals,
        // If the service forgets the token of a transaction, the repeat can count again, and find the limit reached.
        ...(n === 1 && { doubtful: [429] }),
      });
      const call = callOf(1);
      return {
        act: call.act,
        async check(verdict, first, trial) {
          const { mails } = oracle.judge(verdict, call, { outcome: first }, trial);
          if (effects.includes('emailDog') && handling === 'sync')
            verdict.recordMail(mails, !isDone(first) || trial.alarmed('MailFailed'));
          for (let n = 2; n <= last; n++) await oracle.repeat(verdict, callOf(n), trial, timeOf(n));
        },
      };
    },
  };
}

/** Returns the scenario of an occurrence. @param reached true if a bark has already used the only place */
function occurrence(as: string, reached: boolean): Scenario {
  const limits = { mailsPerDog: 1 };
  return {
    of: 'bark-on-schedule, limited',
    as,
    limits,
    mail: reached ? 'not sent, reported' : 'mail sent once',
    async begin() {
      const oracle = await Oracle.ofDog('sync', ['emailDog', 'record'], { limits });
      const { fire, deliver } = await schedule(oracle);
      if (reached) await oracle.perform(0, (actor) => actor.bark());
      return {
        act: deliver(0),
        async check(verdict, first, trial) {
          const retried = await until(first, retriesOfLambda, deliver(0), trial);
          verdict.expectThat(isDone(retried), 'the last retry of Lambda fails');
          oracle.expectOneOf(verdict, [[fire(0)]]);
          const isDropped = trial.alarmed('MailDropped');
          verdict.recordMail(trial.sent.length, trial.alarmed('MailFailed') || isDropped);
          verdict.expectThat(isDropped === reached, 'an alarm about dropped mail is wrong or missing');
          await again(deliver(1), trial, 700);
          oracle.expectOneOf(verdict, [[fire(1)]]);
          verdict.expectThat(trial.alarmed('MailDropped'), 'a dropped mail is not reported');
          const mails = trial.sent.length;
          verdict.expectThat(mails <= (reached ? 0 : 1), `${mails} mails exceed the limit`);
          await again(deliver(6), trial, nextWindow);
          oracle.expectOneOf(verdict, [[fire(6)]]);
          verdict.expectThat(trial.sent.length === mails + 1, 'the next window has no place for a mail');
        },
      };
    },
  };
}

export const limits: readonly Scenario[] = [
  lastPlace('POST barks, limited', 'record', bark, {
    limits: { barksPerDog: limit, barksPerUser: limit },
    effects: ['record'],
  }),
  lastPlace('POST barks, limited', 'emailDog, record', bark, { refusals: [502, 504] }),
  lastPlace('POST barks, limited', 'emailDog, record, with a key', keyedBark, { refusals: [502, 504] }),
  lastPlace('POST barks, limited', 'asynchronous', bark, { handling: 'async' }),
  lastPlace('POST barks, limited', 'asynchronous, with a key', keyedBark, {
    limits: { ...mails, barksPerDog: limit },
    handling: 'async',
  }),
  lastPlace('POST bark-schedule, limited', 'from now on, with mail', setSchedule, { refusals: [502] }),
  lastPlace('PATCH a dog, limited', 'from now on, with mail', patch, { refusals: [403] }),
  occurrence('that takes the last place', false),
  occurrence('with the limit reached', true),
];
