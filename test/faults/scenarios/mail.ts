import { readDog } from '../../../lambdas/domain/dogs/read.ts';
import { handler as suspendAddress } from '../../../lambdas/jobs/suspend-address.ts';
import { context } from '../../../tools/invocation.ts';
import { linkTokenOf } from '../../support/dogs.ts';
import { bounceOf } from '../../support/job-events.ts';
import type { Actor } from '../operations.ts';
import { type JudgedCall, Oracle } from '../oracle.ts';
import { newContext, request, type Scenario, type Subject } from '../scenario.ts';

const address = 'dog@example.com';

/** @param moved true if the dog has a new address when the event about the former one arrives */
function suspending(as: string, { moved }: { moved: boolean }): Scenario {
  return {
    of: 'suspend-address',
    as,
    async begin() {
      const oracle = await Oracle.ofDog('sync', ['emailDog', 'record']);
      const { dog } = oracle;
      const { incarnation, settings } = await readDog(dog, newContext(-60));
      if (moved) await oracle.perform(-60, (actor) => actor.put({ ...settings, email: 'new@example.com' }));
      const event = bounceOf({ id: dog, incarnation }, address);
      const since = Math.floor(Date.parse(event.detail.bounce.timestamp) / 1000);
      const suspend = (actor: Actor) => actor.feedback(incarnation, [address], 'bounced', since);
      const act: Subject['act'] = (limit) => suspendAddress(event, context(1_000 + limit));
      return oracle.job({ act, changeBy: suspend });
    },
  };
}

/** @param what GET changes nothing, POST suspends the recipients, and `undo` reverses that */
function subscription(what: 'GET' | 'POST' | 'undo'): Scenario {
  const recipients = [address, 'owner@example.com'];
  const route = what === 'GET' ? 'GetMailSubscription' : 'PostMailSubscription';
  return {
    of: `${what === 'GET' ? 'GET' : 'POST'} mail-subscription`,
    as: what === 'undo' ? 'that undoes the same with the same link' : 'with the link of a mail',
    async begin() {
      const oracle = await Oracle.ofDog('sync', ['emailDog', 'emailOwner']);
      const dog = await readDog(oracle.dog, newContext(-60));
      const token = linkTokenOf(dog, recipients);
      const changeBy = (name: 'unsubscribe' | 'resubscribe') => (actor: Actor) =>
        actor.changeSubscription(name, dog.incarnation, recipients);
      if (what === 'undo') await oracle.perform(-60, changeBy('unsubscribe'));
      const call: JudgedCall = {
        act: request(route, {
          pathParameters: { dog_id: oracle.dog, token },
          ...(what === 'undo' && { body: 'subscribed=true' }),
        }),
        ...(what !== 'GET' && { changeBy: changeBy(what === 'POST' ? 'unsubscribe' : 'resubscribe') }),
        statuses: { done: 200 },
      };
      return oracle.subject(call, async (verdict, { trial }) => {
        await oracle.repeat(verdict, call, trial, 5);
      });
    },
  };
}

const refusedBark: Scenario = {
  of: 'POST barks',
  as: 'with mail to a suspended address',
  refuses: true,
  mail: 'not sent, reported',
  async begin() {
    const oracle = await Oracle.ofDog('sync', ['emailDog', 'record'], { isSuspended: true });
    const headers = { 'Idempotency-Key': '"a key"' };
    const call: JudgedCall = {
      act: request('PostBarks', { pathParameters: { dog_id: oracle.dog }, headers }),
      changeBy: (actor) => actor.keyedBark('a key'),
      statuses: { AddressSuspended: 409 },
      unsettled: [504],
    };
    return oracle.subject(call, async (verdict, { trial }) => {
      // After a crash, the lease of the first request must end.
      await oracle.repeat(verdict, call, trial, 120);
      verdict.recordMail(trial.sent.length, true);
    });
  },
};

export const mail: readonly Scenario[] = [
  subscription('GET'),
  subscription('POST'),
  subscription('undo'),
  refusedBark,
  suspending('of an address that bounced', { moved: false }),
  suspending('of a former address', { moved: true }),
];
