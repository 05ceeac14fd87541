import { readBark } from '../../../lambdas/domain/barks/queries.ts';
import type { Effect } from '../../../lambdas/domain/dogs/dog.ts';
import type { WorkflowInput } from '../../../lambdas/domain/platform/step-functions.ts';
import { handler as failBark } from '../../../lambdas/jobs/fail-bark.ts';
import { handler as performBark } from '../../../lambdas/jobs/perform-bark.ts';
import { handler as purgeDog } from '../../../lambdas/jobs/purge-dog.ts';
import { context, sampleEvent } from '../../../tools/invocation.ts';
import type { Fault } from '../../support/faults.ts';
import { removalOf } from '../../support/job-events.ts';
import type { Actor } from '../operations.ts';
import { Oracle } from '../oracle.ts';
import { again, ample, at, newContext, now, type Scenario, type Subject, Verdict } from '../scenario.ts';
import { itemsOf, stateOf } from '../state.ts';
import { Sandbox, Trial } from '../trial.ts';
import {
  continueExecution,
  performing,
  retriesOf,
  runExecution,
  schedule,
  type WorkflowType,
  workflowTypes,
} from './executions.ts';

function occurrence(
  as: string,
  effects: Effect[],
  {
    replaced = false,
    triedBefore,
    isOld = false,
    isSuspended = false,
  }: {
    readonly replaced?: boolean;
    readonly triedBefore?: Fault;
    readonly isOld?: boolean;
    /** True if the address of the dog is suspended, so that no mail is sent. */
    readonly isSuspended?: boolean;
  } = {},
): Scenario {
  const mailed = effects.includes('emailDog');
  const usual = triedBefore === 'dies after' ? 'perhaps sent, reported' : 'mail sent once';
  return {
    of: 'bark-on-schedule',
    as,
    mail: isSuspended ? 'not sent, reported' : usual,
    async begin() {
      const oracle = await Oracle.ofDog('sync', effects, { isOld, isSuspended });
      const { fire, deliver } = await schedule(oracle);
      const act = deliver(0);
      const earlier = new Trial();
      const begin = new Verdict();
      if (triedBefore !== undefined) {
        const process = new Sandbox(now - 60_000);
        process.plan('SendRawEmail', triedBefore);
        await earlier.run(() => act(ample), process);
        oracle.expectOneOf(begin, [[fire(0)]]);
      }
      if (replaced) await oracle.perform(-30, (actor) => actor.post(2, at + 7_200, 10));
      const job = { act, changeBy: fire(0), later: deliver(0, 'another delivery') };
      return oracle.job(job, (verdict, trial, { history }) => {
        verdict.wrong.push(...begin.wrong);
        const isReported = [trial, earlier].some(
          (one) => one.alarmed('MailFailed') || one.alarmed('MailSuspended'),
        );
        if (mailed && history.length > 0)
          verdict.recordMail(earlier.sent.length + trial.sent.length, isReported);
      });
    },
  };
}

/** An asynchronous bark that was accepted ten seconds ago. */
async function pendingBark(effects: Effect[], { isOld = false } = {}) {
  const oracle = await Oracle.ofDog('async', effects, { isOld });
  const { bark = '' } = await oracle.perform(-10, (actor) => actor.bark());
  const input: WorkflowInput = { dog: oracle.dog, bark };
  return {
    oracle,
    input,
    perform: (actor: Actor) => actor.performBark(bark),
    fail: (actor: Actor) => actor.failBark(bark),
  };
}

/** Checks the mail of an asynchronous bark after its deadline, and the reason if the bark has failed. */
async function checkMail(verdict: Verdict, input: WorkflowInput, mails: number): Promise<void> {
  const { status, reason } = await readBark(input.dog, input.bark, newContext(3_600));
  const isComplete = status === 'complete';
  verdict.expectThat(isComplete || Boolean(reason), 'it failed without a reason');
  verdict.recordMail(mails, !isComplete);
  if (mails > 0 && !isComplete)
    verdict.expectThat(reason?.includes('may have been sent') === true, `the reason is: ${reason}`);
}

/**
 * Returns the scenario of an execution of the workflow. A second run of an Express execution begins during the retries of the first
 * one, and a third run begins after its end.
 *
 * @param delays the delays between the attempts, which are random up to a maximum, or `timeout` if the execution times out after the
 *   first attempt, so that it does not invoke `FailBark` either
 */
function executing(
  type: WorkflowType,
  as: string,
  effects: Effect[],
  delays: 'longest' | 'shortest' | 'timeout' = 'longest',
  { isOld = false } = {},
): Scenario {
  return {
    of: `perform-bark, ${type}`,
    as: `${as}${delays === 'longest' ? '' : `: ${delays}`}`,
    async begin() {
      const { oracle, input, perform, fail } = await pendingBark(effects, { isOld });
      const act = performing(input);
      const mailed = effects.includes('emailDog');
      // Without mail, a retry can always complete the bark.
      const ends = mailed ? [[perform], [fail]] : [[perform]];
      return {
        act,
        async check(verdict, first, trial) {
          oracle.expectOneOf(verdict, [[], ...ends]);
          const retries = retriesOf(type).map((time) => (delays === 'shortest' ? 0 : time));
          if (delays !== 'timeout') {
            await Promise.all([
              continueExecution(input, first, retries, trial),
              ...(type === 'Express' ? [runExecution(input, 'Standard', trial, 1)] : []),
            ]);
            oracle.expectOneOf(verdict, ends);
          }
          if (mailed) await checkMail(verdict, input, trial.sent.length);
          await again(act, trial, 500);
          oracle.expectOneOf(verdict, delays === 'timeout' ? ends : [[]]);
          if (mailed) await checkMail(verdict, input, trial.sent.length);
        },
      };
    },
  };
}

/** @param begun true if an earlier process died while it was sending the mail of the bark */
function failing(as: string, begun: boolean): Scenario {
  const effects: Effect[] = ['emailDog', 'record'];
  return {
    of: 'fail-bark',
    as,
    mail: begun ? 'perhaps sent, reported' : 'not sent, reported',
    async begin() {
      const { oracle, input, fail } = await pendingBark(effects);
      const earlier = new Trial();
      if (begun) {
        const process = new Sandbox(now - 120_000);
        process.plan('SendRawEmail', 'dies after');
        await earlier.run(() => performBark(input, context(1_000 + ample)), process);
      }
      const event = sampleEvent<{ detail: object }>('FailBark');
      const ended = { ...event, detail: { ...event.detail, input: JSON.stringify(input) } };
      const act: Subject['act'] = (limit) => failBark(ended, context(1_000 + limit, 'the delivery'));
      return oracle.job({ act, changeBy: fail, later: performing(input) }, async (verdict, trial) => {
        const { reason } = await readBark(input.dog, input.bark, newContext());
        verdict.recordMail(earlier.sent.length + trial.sent.length, reason !== undefined);
        verdict.expectThat(!begun || reason === 'The mail may have been sent.', `the reason is: ${reason}`);
        verdict.expectThat(trial.alarmed('BarkFailed'), 'no alarm is raised');
      });
    },
  };
}

const purge: Scenario = {
  of: 'purge-dog',
  as: 'with a new dog that has the same ID',
  async begin() {
    const oracle = await Oracle.ofDog('sync', ['record']);
    const { dog } = oracle;
    const live = async (token: number) => {
      await oracle.perform(-60, (actor) => actor.keyedBark('a key'));
      await oracle.perform(-60, (actor) => actor.bark({ isAsync: true }));
      await oracle.perform(-60, (actor) => actor.post(token, at + 600, 10));
    };
    await live(1);
    const { dog: former } = stateOf(dog);
    await oracle.perform(-60, (actor) => actor.delete());
    await oracle.perform(-60, (actor) => actor.put({ barkEffects: ['record'], barkHandling: 'sync' }));
    await live(2);
    if (!former) throw new Error('The dog does not exist.');
    const { incarnation } = former;
    const event = removalOf(former);
    const act: Subject['act'] = (limit) => purgeDog(event, context(5_000 + limit));
    // Nothing changes for the new dog.
    return oracle.job({ act, pauses: [60, 120, 180] }, (verdict, _, end) => {
      const left = itemsOf(end).filter((item) => item.incarnation === incarnation).length;
      verdict.expectThat(left === 0, `${left} items still exist`);
      const schedules = end.schedules.length;
      verdict.expectThat(schedules === 1, `EventBridge Scheduler has ${schedules} schedules`);
    });
  },
};

export const jobs: readonly Scenario[] = [
  occurrence('that records', ['record']),
  occurrence('that mails and records', ['emailDog', 'record']),
  occurrence('that mails alone', ['emailDog']),
  occurrence('that mails and records, of a dog without a mail key', ['emailDog', 'record'], { isOld: true }),
  occurrence('that mails a suspended address and records', ['emailDog', 'record'], { isSuspended: true }),
  occurrence('of a schedule that was replaced', ['record'], { replaced: true }),
  occurrence('whose mail was throttled before', ['emailDog', 'record'], { triedBefore: 'throttled' }),
  occurrence('whose mail was throttled, and whose schedule was replaced', ['emailDog', 'record'], {
    triedBefore: 'throttled',
    replaced: true,
  }),
  occurrence('whose process died at the mail', ['emailDog', 'record'], { triedBefore: 'dies after' }),
  ...workflowTypes.flatMap((type) => [
    executing(type, 'of a bark that records', ['record']),
    executing(type, 'of a bark that mails and records', ['emailDog', 'record']),
    executing(type, 'of a bark that mails alone', ['emailDog']),
    executing(type, 'of a dog without a mail key', ['emailDog', 'record'], 'longest', { isOld: true }),
    executing(type, 'of a bark that records', ['record'], 'shortest'),
    executing(type, 'of a bark that mails and records', ['emailDog', 'record'], 'shortest'),
    executing(type, 'of a bark that records', ['record'], 'timeout'),
    executing(type, 'of a bark that mails and records', ['emailDog', 'record'], 'timeout'),
  ]),
  failing('of a bark that is pending', false),
  failing('of a bark whose process died at the mail', true),
  purge,
];
