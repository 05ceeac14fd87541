import { cancelBark } from '../../../lambdas/domain/barks/cancel.ts';
import { createBark } from '../../../lambdas/domain/barks/create.ts';
import { performBark } from '../../../lambdas/domain/barks/perform.ts';
import { newDog } from '../../support/dogs.ts';
import { duringPauses } from '../../support/pauses.ts';
import { again, newContext, request, type Scenario, type Subject, Verdict } from '../scenario.ts';
import { barkIdOf, type State, stateOf } from '../state.ts';
import { type InvocationResult, isDone, Sandbox, statusOf } from '../trial.ts';
import { type Route, routes, runExecutions } from './barks.ts';

/** What happens to all pending barks of the dog while the client waits, and the status of these barks after it. */
const statuses = { 'performed meanwhile': 'complete', 'cancelled meanwhile': 'cancelled' } as const;
type Event = keyof typeof statuses;

const prefer = { Prefer: 'wait=20' };

/** Makes the event happen during the pauses of a call. `begun` returns true if the call has begun to wait. */
function during(event: Event, dog: string, call: Subject['act']): { act: Subject['act']; begun(): boolean } {
  let hasBegun = false;
  const context = newContext(6);
  const happen = async () => {
    const { barks } = await stateOf(dog);
    const pending = barks.filter(({ status }) => status === 'pending').map(({ sk }) => barkIdOf(sk));
    for (const bark of pending)
      if (event === 'cancelled meanwhile') await cancelBark(dog, bark, context);
      else await performBark(dog, bark, context);
  };
  const act: Subject['act'] = (limit) => {
    duringPauses(() => {
      hasBegun = true;
      return new Sandbox(context.now).run(happen);
    });
    return call(limit);
  };
  return { act, begun: () => hasBegun };
}

/**
 * Checks that a call that has begun to wait succeeds, unless its process dies. If the response shows that the bark has settled, the
 * stored bark must have the same status.
 */
function checkWait(
  verdict: Verdict,
  { first, hasBegun, expected }: { first: InvocationResult; hasBegun: boolean; expected: string },
  { barks: [bark] }: State,
): void {
  if (hasBegun) verdict.expectThat(isDone(first) || first.kind === 'died', 'the wait has ended in a failure');
  if (first.kind !== 'responded' || !isDone(first)) return;
  const { statusCode, body } = first.result;
  const isPending = statusCode === 202 || body.includes('"status":"pending"');
  if (!isPending) verdict.expectThat(bark?.status === expected, `the bark is ${bark?.status}`);
}

/** Returns the scenario of a POST that waits for its bark. With a key, the client repeats the same request. */
function post(of: Route, as: Event, status: number, key?: string): Scenario {
  const { sample } = routes[of];
  return {
    of: `${of}, with a wait${key ? ' and a key' : ''}`,
    as,
    waits: true,
    async begin() {
      const dog = await newDog('async', ['record']);
      const headers = { ...prefer, ...(key && { 'Idempotency-Key': key }) };
      const { act, begun } = during(as, dog, request(sample, { pathParameters: { dog_id: dog }, headers }));
      return {
        act,
        async check(first, trial) {
          const verdict = new Verdict();
          verdict.checkResponse(first, status, 202);
          const state = await stateOf(dog);
          verdict.checkState(state);
          verdict.checkBarks(state.barks.length, isDone(first) ? { least: 1 } : { least: 0, most: 1 });
          checkWait(verdict, { first, hasBegun: begun(), expected: statuses[as] }, state);
          const second = await again(act, trial);
          verdict.expectThat(statusOf(second) === status, `the next response is ${statusOf(second)}`);
          await runExecutions(dog, 'Express', trial);
          const end = await stateOf(dog);
          verdict.checkState(end, state);
          const barks = key ? 1 : state.barks.length + 1;
          verdict.checkBarks(end.barks.length, { least: barks });
          verdict.checkBarks(end.history.length, { least: statuses[as] === 'complete' ? barks : 0 });
          return verdict;
        },
      };
    },
  };
}

/** Returns the scenario of a GET that waits for a pending bark. */
function get(as: Event, status: number): Scenario {
  return {
    of: 'GET a bark, with a wait',
    as,
    waits: true,
    async begin() {
      const dog = await newDog('async', ['record']);
      const accepted = await createBark(dog, {}, newContext());
      if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
      const before = await stateOf(dog);
      const pathParameters = { dog_id: dog, bark_id: accepted.bark.id };
      const call = request('GetBark', { pathParameters, headers: prefer });
      const { act, begun } = during(as, dog, call);
      return {
        act,
        async check(first, trial) {
          const verdict = new Verdict();
          verdict.checkResponse(first, status, 200);
          const state = await stateOf(dog);
          verdict.checkState(state, before);
          checkWait(verdict, { first, hasBegun: begun(), expected: statuses[as] }, state);
          const second = await again(act, trial);
          verdict.checkResponse(second, status, 200);
          verdict.expectThat(isDone(second), `the repeat is ${statusOf(second)}`);
          const end = await stateOf(dog);
          verdict.checkState(end, state);
          const [bark] = end.barks;
          verdict.expectThat(bark?.status === statuses[as], `the bark is ${bark?.status} at the end`);
          return verdict;
        },
      };
    },
  };
}

export const waits: readonly Scenario[] = [
  post('POST barks', 'performed meanwhile', 201),
  post('POST barks', 'cancelled meanwhile', 200),
  post('POST barks', 'performed meanwhile', 201, '"a key"'),
  post('POST bark', 'performed meanwhile', 201),
  get('performed meanwhile', 303),
  get('cancelled meanwhile', 200),
];
