import { isDeepStrictEqual } from 'node:util';
import type { Effect } from '../../../lambdas/domain/dogs/dog.ts';
import { started } from '../../support/faults.ts';
import type { Actor } from '../operations.ts';
import { type JudgedCall, Oracle } from '../oracle.ts';
import { request, type Scenario, type Verdict } from '../scenario.ts';
import { barkIdOf, stateOf } from '../state.ts';
import { bodyOf, type InvocationResult, isDone, isMailUnknown, type Trial } from '../trial.ts';
import { type Route, routes } from './bark-routes.ts';
import { performAll, runExecutions, type WorkflowType, workflowTypes } from './executions.ts';

function isMailed(effects: readonly Effect[]): boolean {
  return effects.some((effect) => effect.startsWith('email'));
}

/** Returns the statuses of a bark without a wait, by the outcome of the model. */
function statusesOf(status: number) {
  return { sent: status, counted: status, recorded: status, accepted: status };
}

function barkSync(of: Route, status: number, effects: Effect[], { isOld = false } = {}): Scenario {
  const { sample, inHistory } = routes[of];
  return {
    of,
    as: `${effects.join(', ')}${isOld ? ', of a dog without a mail key' : ''}`,
    async begin() {
      const oracle = await Oracle.ofDog('sync', effects, { isOld });
      const call = {
        act: request(sample, { pathParameters: { dog_id: oracle.dog } }),
        changeBy: (actor: Actor) => actor.bark({ inHistory }),
        statuses: statusesOf(status),
        refusals: isMailed(effects) ? [502, 504] : [],
      };
      return oracle.subject(call, (verdict, { outcome, first: { state, happened, mails } }) => {
        if (!isMailed(effects)) return;
        verdict.recordMail(mails, !isDone(outcome));
        const isStored = happened && state.history.length > 0;
        verdict.expectThat(!isStored || mails > 0, 'it is stored, but its mail was not sent');
        if (saysNotSent(outcome)) verdict.expectThat(mails === 0, 'a mail was sent but reported as not sent');
      });
    },
  };
}

function barkAsync(
  of: Route,
  as: string,
  handling: 'sync' | 'async',
  effects: Effect[],
  { type, ...headers }: { readonly type: WorkflowType; readonly Prefer?: string },
): Scenario {
  const { sample, inHistory } = routes[of];
  return {
    of: `${of}, asynchronous, ${type}`,
    as,
    async begin() {
      const oracle = await Oracle.ofDog(handling, effects);
      const { dog } = oracle;
      const call = {
        act: request(sample, { pathParameters: { dog_id: dog }, headers }),
        changeBy: (actor: Actor) => actor.bark({ isAsync: true, inHistory }),
        statuses: statusesOf(202),
      };
      return oracle.subject(call, async (verdict, { outcome, trial, repeat: { state } }) => {
        const executed = started(dog).map(({ bark }) => bark);
        const isExecuted = state.barks.every(({ sk }) => executed.includes(barkIdOf(sk)));
        verdict.expectThat(isExecuted, 'a bark has no execution');
        await runExecutions(dog, type, trial);
        oracle.expectOneOf(verdict, [[performAll]]);
        if (isMailed(effects)) verdict.recordMail(trial.sent.length - 1, !isDone(outcome));
      });
    },
  };
}

/**
 * Returns the scenario of a bark with an idempotency key. The client repeats the request until it succeeds, or until it learns that
 * the mail may have been sent. The dog must bark only once, and at most one email must be sent.
 */
function keyed(of: Route, status: number, handling: 'sync' | WorkflowType, ...effects: Effect[]): Scenario {
  const { sample, inHistory } = routes[of];
  const mailed = isMailed(effects);
  const unknowns = mailed && handling === 'sync' ? [504] : [];
  return {
    of: `${of}, with a key${handling === 'sync' ? '' : `, ${handling}`}`,
    as: `${effects.join(', ')}, ${handling === 'sync' ? 'sync' : 'async'}`,
    async begin() {
      const oracle = await Oracle.ofDog(handling === 'sync' ? 'sync' : 'async', effects);
      const headers = { 'Idempotency-Key': '"a key"' };
      const call: JudgedCall = {
        act: request(sample, { pathParameters: { dog_id: oracle.dog }, headers }),
        changeBy: (actor) => actor.keyedBark('a key', { inHistory }),
        statuses: statusesOf(status),
        refusals: unknowns.length > 0 ? [502, ...unknowns] : [],
        unsettled: unknowns,
      };
      const execute = async (verdict: Verdict, trial: Trial) => {
        if (handling === 'sync') return;
        await runExecutions(oracle.dog, handling, trial);
        oracle.expectOneOf(verdict, [[performAll]]);
      };
      return {
        act: call.act,
        async check(verdict, first, trial) {
          oracle.judge(verdict, call, { outcome: first }, trial);
          await execute(verdict, trial);
          if (mailed) verdict.recordMail(trial.sent.length, !isDone(first));
          // If a process dies while it sends the mail, its lease lasts for a minute.
          const inProgress = { ...call, unsettled: [409, ...unknowns] };
          const { outcome: soon } = await oracle.repeat(verdict, inProgress, trial, 2);
          const second = isDone(soon) ? soon : (await oracle.repeat(verdict, call, trial, 67)).outcome;
          const isUnknown = isMailUnknown(second);
          const mayBeUnknown = !isDone(first) && !saysNotSent(first);
          verdict.expectThat(!isUnknown || mayBeUnknown, 'the repeat does not know of the mail');
          await execute(verdict, trial);
          const { outcome: third } = await oracle.repeat(verdict, call, trial, 100);
          verdict.expectThat(isSame(second, third), 'another repeat has another response');
          if (isMailUnknown(first) || isMailUnknown(soon))
            verdict.expectThat(isUnknown, 'the mail is no longer unknown');
          if (trial.sent.length > 1) verdict.recordMail(trial.sent.length, true);
          if (isDone(first)) verdict.expectThat(isSame(first, second), 'the repeat has another response');
        },
      };
    },
  };
}

/** Returns true if a response states that the mail was not sent. */
function saysNotSent(outcome: InvocationResult): boolean {
  return /No mail was sent|refused/.test(bodyOf(outcome));
}

function isSame(one: InvocationResult, other: InvocationResult): boolean {
  const shown = (outcome: InvocationResult) =>
    outcome.kind === 'responded' && [outcome.result.statusCode, outcome.result.headers, outcome.result.body];
  return isDeepStrictEqual(shown(one), shown(other));
}

const cancelling = (type: WorkflowType): Scenario => ({
  of: `DELETE a bark, ${type}`,
  as: 'that is pending',
  async begin() {
    const oracle = await Oracle.ofDog('async', ['emailDog', 'record']);
    const { dog } = oracle;
    const { bark = '' } = await oracle.perform(0, (actor) => actor.bark());
    const call = {
      act: request('DeleteBark', { pathParameters: { dog_id: dog, bark_id: bark } }),
      changeBy: (actor: Actor) => actor.cancel(bark),
      statuses: { done: 204 },
    };
    return oracle.subject(call, async (verdict, { trial, repeat: { state } }) => {
      await runExecutions(dog, type, trial);
      verdict.expectThat(isDeepStrictEqual(stateOf(dog), state), 'its workflow has an effect');
      verdict.expectThat(trial.sent.length === 0, 'the mail of a cancelled bark was sent');
    });
  },
});

export const barks: readonly Scenario[] = [
  barkSync('POST barks', 303, ['count']),
  barkSync('POST barks', 201, ['record']),
  barkSync('POST barks', 200, ['emailDog']),
  barkSync('POST barks', 303, ['emailOwner', 'count']),
  barkSync('POST barks', 201, ['emailDog', 'record']),
  barkSync('POST barks', 201, ['emailDog', 'record'], { isOld: true }),
  barkSync('POST bark', 201, ['record']),
  barkSync('POST bark', 201, ['emailDog']),
  barkSync('POST bark', 201, ['emailDog', 'record']),
  keyed('POST barks', 201, 'sync', 'record'),
  keyed('POST barks', 200, 'sync', 'emailDog'),
  keyed('POST barks', 201, 'sync', 'emailDog', 'record'),
  keyed('POST bark', 201, 'sync', 'emailDog', 'count'),
  ...workflowTypes.flatMap((type) => [
    barkAsync('POST barks', 'of an asynchronous dog', 'async', ['record'], { type }),
    barkAsync('POST barks', 'of an asynchronous dog, with mail', 'async', ['emailDog', 'record'], { type }),
    barkAsync('POST barks', 'as the client prefers', 'sync', ['count'], { type, Prefer: 'respond-async' }),
    barkAsync('POST bark', 'of an asynchronous dog, with mail alone', 'async', ['emailDog'], { type }),
    keyed('POST barks', 202, type, 'emailDog', 'record'),
    cancelling(type),
  ]),
];
