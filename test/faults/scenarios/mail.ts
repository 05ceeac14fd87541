import { isDeepStrictEqual } from 'node:util';
import { handler as postBarks } from '../../../lambdas/api/dogs/barks/post.ts';
import { handler as getSubscription } from '../../../lambdas/api/dogs/mail-subscription/get.ts';
import { handler as postSubscription } from '../../../lambdas/api/dogs/mail-subscription/post.ts';
import type { Suspension } from '../../../lambdas/domain/dogs/dog.ts';
import { putDog } from '../../../lambdas/domain/dogs/put.ts';
import { readDog } from '../../../lambdas/domain/dogs/read.ts';
import { postSchedule } from '../../../lambdas/domain/schedules/change.ts';
import { suspendAddresses } from '../../../lambdas/domain/suspensions/suspend.ts';
import { handler as barkOnSchedule } from '../../../lambdas/jobs/bark-on-schedule.ts';
import { handler as suspendAddress } from '../../../lambdas/jobs/suspend-address.ts';
import { context, sampleEvent } from '../../../tools/invocation.ts';
import { linkTokenOf, newDog } from '../../support/dogs.ts';
import { standingOf } from '../../support/faults.ts';
import { occurrenceOf } from '../../support/schedules.ts';
import type { Actor } from '../operations.ts';
import { type JudgedCall, Oracle } from '../oracle.ts';
import { again, now, request, type Scenario, type Subject, Verdict } from '../scenario.ts';
import { type State, stateOf } from '../state.ts';
import { isDone, isMailUnknown, isRefused } from '../trial.ts';
import { retriesOfLambda, until } from './executions.ts';

const at = now / 1000;
const address = 'dog@example.com';

function newContext(after = -60) {
  return { now: now + after * 1000, signal: new AbortController().signal };
}

async function suspendedDog(...effects: Parameters<typeof newDog>[1]): Promise<string> {
  const dog = await newDog('sync', effects);
  const { incarnation } = await readDog(dog, newContext());
  const feedback = { addresses: [address], reason: 'bounced', at: at - 60 } as const;
  await suspendAddresses({ dog, incarnation, ...feedback }, newContext());
  return dog;
}

/** Returns the stored suspensions without their times, which depend on the clock of the function. */
function suspensionsIn({ dog }: State): Pick<Suspension, 'address' | 'reason'>[] {
  return (dog?.suspensions ?? []).map(({ address, reason }) => ({ address, reason }));
}

/** @param moved true if the dog has a new address when the event about the former one arrives */
function suspending(as: string, { moved }: { moved: boolean }): Scenario {
  return {
    of: 'suspend-address',
    as,
    async begin() {
      const dog = await newDog('sync', ['emailDog', 'record']);
      const { incarnation, settings } = await readDog(dog, newContext());
      if (moved) await putDog(dog, { ...settings, email: 'new@example.com' }, {}, newContext());
      const { detail } = sampleEvent<{ detail: Record<string, object> }>('SuspendAddress');
      const bounce = { ...detail.bounce, bouncedRecipients: [{ emailAddress: address }] };
      const event = { detail: { bounce, mail: { tags: { dog: [dog], incarnation: [incarnation] } } } };
      const act: Subject['act'] = (limit) => suspendAddress(event, context(1_000 + limit));
      const wanted = moved ? [] : [{ address, reason: 'bounced' }];
      return {
        act,
        async check(first, trial) {
          const verdict = new Verdict();
          const state = await stateOf(dog);
          verdict.checkState(state);
          const last = await until(first, retriesOfLambda, act, trial);
          verdict.expectThat(isDone(last), 'the last retry of Lambda fails');
          const end = await stateOf(dog);
          verdict.checkState(end, state);
          verdict.expectThat(isDeepStrictEqual(suspensionsIn(end), wanted), 'the suspensions are wrong');
          await again(act, trial, 200);
          verdict.expectThat(
            isDeepStrictEqual(await stateOf(dog), end),
            'another delivery has changed something',
          );
          return verdict;
        },
      };
    },
  };
}

/** @param what GET changes nothing, and POST suspends the recipients or undoes that */
function subscription(what: 'GET' | 'POST' | 'undo'): Scenario {
  const recipients = [address, 'owner@example.com'];
  const [handler, sample] =
    what === 'GET' ? [getSubscription, 'GetMailSubscription'] : [postSubscription, 'PostMailSubscription'];
  const changes = {
    GET: undefined,
    POST: (actor: Actor, incarnation: string) => actor.unsubscribe(incarnation, recipients),
    undo: (actor: Actor, incarnation: string) => actor.resubscribe(incarnation, recipients),
  };
  const change = changes[what];
  return {
    of: `${what === 'GET' ? 'GET' : 'POST'} mail-subscription`,
    as: what === 'undo' ? 'that undoes the same with the same link' : 'with the link of a mail',
    async begin() {
      const oracle = await Oracle.ofDog('sync', ['emailDog', 'emailOwner']);
      const dog = await readDog(oracle.dog, newContext());
      const token = linkTokenOf(dog, recipients);
      if (what === 'undo') await oracle.perform(-60, (actor) => changes.POST(actor, dog.incarnation));
      const call: JudgedCall = {
        act: request(handler, sample, {
          pathParameters: { dog_id: oracle.dog, token },
          ...(what === 'undo' && { body: 'subscribed=true' }),
        }),
        ...(change && { changeBy: (actor: Actor) => change(actor, dog.incarnation) }),
        statuses: { done: 200 },
      };
      return {
        act: call.act,
        check: (first, trial) =>
          oracle.check(call, first, trial, async (verdict) => {
            await oracle.repeat(verdict, call, trial, 5);
          }),
      };
    },
  };
}

const refusedBark: Scenario = {
  of: 'POST barks',
  as: 'with mail to a suspended address',
  refuses: true,
  mail: 'not sent, reported',
  async begin() {
    const dog = await suspendedDog('emailDog', 'record');
    const before = await stateOf(dog);
    const act = request(postBarks, 'PostBarks', {
      pathParameters: { dog_id: dog },
      headers: { 'Idempotency-Key': '"a key"' },
    });
    return {
      act,
      async check(first, trial) {
        const verdict = new Verdict();
        verdict.checkResponse(first, 409);
        // After a crash, the lease of the first request must end.
        const second = await again(act, trial, 120);
        verdict.expectThat(isRefused(second) || isMailUnknown(second), 'the repeat is not refused');
        const end = await stateOf(dog);
        verdict.checkState(end, before);
        verdict.checkBarks(end.history.length, { least: 0 });
        verdict.recordMail(trial.sent.length, true);
        return verdict;
      },
    };
  },
};

const silentOccurrence: Scenario = {
  of: 'bark-on-schedule',
  as: 'that mails a suspended address and records',
  mail: 'not sent, reported',
  async begin() {
    const dog = await suspendedDog('emailDog', 'record');
    await postSchedule(dog, { token: 1, next: at, frequency: 10 }, newContext(-600));
    const event = occurrenceOf(standingOf(dog));
    const act: Subject['act'] = (limit) => barkOnSchedule(event, context(1_000 + limit, 'a delivery'));
    return {
      act,
      async check(first, trial) {
        const verdict = new Verdict();
        const last = await until(first, retriesOfLambda, act, trial);
        verdict.expectThat(isDone(last), 'the last retry of Lambda fails');
        const end = await stateOf(dog);
        verdict.checkState(end);
        verdict.checkBarks(end.history.length, { least: 1 });
        verdict.recordMail(
          trial.sent.length,
          trial.logged.includes('"event":"MailSuspended"') || trial.alarmed('MailFailed'),
        );
        return verdict;
      },
    };
  },
};

export const mail: readonly Scenario[] = [
  subscription('GET'),
  subscription('POST'),
  subscription('undo'),
  refusedBark,
  suspending('of an address that bounced', { moved: false }),
  suspending('of a former address', { moved: true }),
  silentOccurrence,
];
