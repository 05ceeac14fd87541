import { duringPauses } from '../../support/during-pauses.ts';
import { Actor } from '../operations.ts';
import { type JudgedCall, Oracle } from '../oracle.ts';
import { again, now, request, type Scenario } from '../scenario.ts';
import { bodyOf, isDone, Sandbox, statusOf } from '../trial.ts';
import { type Route, routes } from './bark-routes.ts';
import { performAll, runExecutions } from './executions.ts';

/** What happens to all pending barks of the dog while the client waits. */
const events = {
  'performed meanwhile': performAll,
  'cancelled meanwhile': (actor: Actor) => actor.endBarks('cancel'),
};
type Event = keyof typeof events;

/** The time of the event, in seconds since the call of the scenario. */
const eventTime = 6;

interface Waiting {
  readonly of: string;
  readonly as: Event;
  readonly status: number;
  readonly sample: string;
  readonly key?: string | undefined;
  /** The change before the wait. Without it, the client waits for a bark that was accepted earlier. */
  readonly changeBy?: JudgedCall['changeBy'];
}

function waiting({ of, as, status, sample, key, changeBy }: Waiting): Scenario {
  return {
    of,
    as,
    async begin() {
      const oracle = await Oracle.ofDog('async', ['record']);
      const { dog } = oracle;
      const { bark: bark_id = '' } = changeBy ? {} : await oracle.perform(0, (actor) => actor.bark());
      const headers = { Prefer: 'wait=20', ...(key && { 'Idempotency-Key': key }) };
      const call = request(sample, { pathParameters: { dog_id: dog, bark_id }, headers });
      const happens = [eventTime, events[as]] as const;
      let hasBegun = false;
      const act = (limit: number) => {
        duringPauses(() => {
          hasBegun = true;
          const time = now + eventTime * 1000;
          return new Sandbox(time).run(events[as](new Actor(dog, () => time)).run);
        });
        return call(limit);
      };
      const changesAt = (after: number) => (changeBy ? [[after, changeBy] as const] : []);
      return {
        act,
        async check(verdict, first, trial) {
          verdict.checkResponse(first, status, changeBy ? 202 : 200);
          if (hasBegun)
            verdict.expectThat(isDone(first) || first.kind === 'died', 'the wait has ended in a failure');
          const isPending = statusOf(first) === 202 || bodyOf(first).includes('"status":"pending"');
          const settled = [...changesAt(0), happens];
          const unsettled = isDone(first) ? [changesAt(0), settled] : [[], changesAt(0), settled];
          oracle.expectOneOf(verdict, isDone(first) && !isPending ? [settled] : unsettled);
          const second = await again(act, trial);
          verdict.expectThat(statusOf(second) === status, `the next response is ${statusOf(second)}`);
          oracle.expectOneOf(verdict, [[...changesAt(1 + trial.ahead), happens]]);
          await runExecutions(dog, 'Express', trial);
          oracle.expectOneOf(verdict, [[]]);
        },
      };
    },
  };
}

/** Returns the scenario of a POST that waits for its bark. With a key, the client repeats the same request. */
function post(of: Route, as: Event, status: number, key?: string): Scenario {
  const { sample, inHistory } = routes[of];
  return waiting({
    of: `${of}, with a wait${key ? ' and a key' : ''}`,
    as,
    status,
    sample,
    key,
    changeBy: (actor) => (key ? actor.keyedBark(key, { inHistory }) : actor.bark({ inHistory })),
  });
}

function get(as: Event, status: number): Scenario {
  return waiting({ of: 'GET a bark, with a wait', as, status, sample: 'GetBark' });
}

export const waits: readonly Scenario[] = [
  post('POST barks', 'performed meanwhile', 201),
  post('POST barks', 'cancelled meanwhile', 200),
  post('POST barks', 'performed meanwhile', 201, '"a key"'),
  post('POST bark', 'performed meanwhile', 201),
  get('performed meanwhile', 303),
  get('cancelled meanwhile', 200),
];
