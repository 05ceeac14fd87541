import { isDeepStrictEqual } from 'node:util';
import type { Bark } from '../../../lambdas/domain/barks/bark.ts';
import type { Dog, DogSettings } from '../../../lambdas/domain/dogs/dog.ts';
import { readDog } from '../../../lambdas/domain/dogs/read.ts';
import { validatorsOf } from '../../../lambdas/http/conditional.ts';
import type { Actor } from '../operations.ts';
import { Oracle } from '../oracle.ts';
import { again, at, newContext, request, type Scenario } from '../scenario.ts';
import { type State, stateOf } from '../state.ts';
import { bodyOf, isDone } from '../trial.ts';

async function busyDog(): Promise<{ oracle: Oracle; barkId: string }> {
  const oracle = await Oracle.ofDog('sync', ['record']);
  const { shown } = await oracle.perform(-60, (actor) => actor.bark());
  await oracle.perform(-60, (actor) => actor.bark({ isAsync: true }));
  await oracle.perform(-60, (actor) => actor.post(1, at + 600, 10));
  return { oracle, barkId: (shown as Bark).id };
}

/** Returns the scenario of a request that changes nothing, whether it succeeds or fails. */
function reading(of: string, sample: string, status = 200): Scenario {
  return {
    of,
    as: 'of a busy dog',
    async begin() {
      const { oracle, barkId } = await busyDog();
      const before = stateOf(oracle.dog);
      const pathParameters = { dog_id: oracle.dog, bark_id: barkId };
      const act = request(sample, { pathParameters });
      const call = { act, statuses: { done: status } };
      return oracle.subject(call, async (verdict, { outcome, trial, repeat: { state } }) => {
        verdict.expectThat(isDeepStrictEqual(state, before), 'it has changed something');
        const third = bodyOf(await again(act, trial));
        if (isDone(outcome) && of !== 'GET the dogs')
          verdict.expectThat(bodyOf(outcome) === third, `the response is incomplete: ${bodyOf(outcome)}`);
      });
    },
  };
}

const wanted: DogSettings = { email: 'new@example.com', barkEffects: ['emailDog'], barkHandling: 'async' };

/** @param precondition the precondition that the client sends. Only a new dog can have If-None-Match */
function putting(as: string, precondition?: 'If-None-Match' | 'If-Match'): Scenario {
  const isNew = as === 'that is new' || precondition === 'If-None-Match';
  return {
    of: 'PUT a dog',
    as,
    async begin() {
      const oracle = isNew ? new Oracle() : (await busyDog()).oracle;
      const only = precondition === 'If-Match' ? await readDog(oracle.dog, newContext()) : undefined;
      const onlyNew = precondition === 'If-None-Match';
      const call = {
        act: request('PutDog', {
          pathParameters: { dog_id: oracle.dog },
          body: JSON.stringify(wanted),
          headers: { ...(onlyNew && { 'If-None-Match': '*' }), ...(only && { 'If-Match': tagOf(only) }) },
        }),
        changeBy: (actor: Actor) => actor.put(wanted, { onlyNew, ...(only && { only }) }),
        statuses: { ...(isNew && { created: 201 }), replaced: 204, StateMismatch: 412 },
      };
      return oracle.subject(call);
    },
  };
}

/** @param demands true if the client sends If-Match */
function deleting(as: string, demands: boolean): Scenario {
  return {
    of: 'DELETE a dog',
    as,
    async begin() {
      const { oracle } = await busyDog();
      const before = stateOf(oracle.dog);
      const call = {
        act: request('DeleteDog', {
          pathParameters: { dog_id: oracle.dog },
          headers: demands ? { 'If-Match': tagOf(await readDog(oracle.dog, newContext())) } : {},
        }),
        changeBy: (actor: Actor) => actor.delete(),
        statuses: { done: 204, NotFound: 404 },
      };
      return oracle.subject(call, (verdict, { first: { state } }) => {
        const others = (one: State) => ({ ...one, dog: undefined });
        verdict.expectThat(
          isDeepStrictEqual(others(state), others(before)),
          'the deletion changed items that only the purge deletes',
        );
      });
    },
  };
}

function tagOf(dog: Dog): string {
  return validatorsOf(dog, {}).ETag;
}

export const dogs: readonly Scenario[] = [
  reading('GET a dog', 'GetDog'),
  reading('GET the dogs', 'ListDogs'),
  reading('GET a bark', 'GetBark'),
  reading('GET the barks', 'ListBarks'),
  reading('GET bark', 'GetLastBark'),
  reading('GET bark-schedule', 'GetBarkSchedule'),
  reading('DELETE bark', 'DeleteLastBark', 204),
  putting('that is new'),
  putting('with If-None-Match', 'If-None-Match'),
  putting('that exists'),
  putting('with If-Match', 'If-Match'),
  deleting('that exists', false),
  deleting('with If-Match', true),
];
