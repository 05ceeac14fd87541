import { isDeepStrictEqual } from 'node:util';
import { handler as deleteLastBark } from '../../../lambdas/api/dogs/bark/delete.ts';
import { handler as getLastBark } from '../../../lambdas/api/dogs/bark/get.ts';
import { handler as getBarkSchedule } from '../../../lambdas/api/dogs/bark-schedule/get.ts';
import { handler as getBark } from '../../../lambdas/api/dogs/barks/get.ts';
import { handler as listBarks } from '../../../lambdas/api/dogs/barks/list.ts';
import { handler as deleteDog } from '../../../lambdas/api/dogs/delete.ts';
import { handler as getDog } from '../../../lambdas/api/dogs/get.ts';
import { handler as listDogs } from '../../../lambdas/api/dogs/list.ts';
import { handler as putDog } from '../../../lambdas/api/dogs/put.ts';
import type { Bark } from '../../../lambdas/domain/barks/bark.ts';
import type { Dog, DogSettings } from '../../../lambdas/domain/dogs/dog.ts';
import { readDog } from '../../../lambdas/domain/dogs/read.ts';
import { validatorsOf } from '../../../lambdas/http/conditional.ts';
import type { Actor } from '../operations.ts';
import { Oracle } from '../oracle.ts';
import { again, now, request, type Scenario } from '../scenario.ts';
import { type State, stateOf } from '../state.ts';
import { type InvocationResult, isDone } from '../trial.ts';

/** Creates a dog with a recorded bark, a pending bark and a schedule. */
async function busyDog(): Promise<{ oracle: Oracle; barkId: string }> {
  const oracle = await Oracle.ofDog('sync', ['record']);
  const { shown } = await oracle.perform(-60, (actor) => actor.bark());
  await oracle.perform(-60, (actor) => actor.bark({ isAsync: true }));
  await oracle.perform(-60, (actor) => actor.post(1, now / 1000 + 600, 10));
  return { oracle, barkId: (shown as Bark).id };
}

/** Returns the scenario of a request that changes nothing, whether it succeeds or fails. */
function reading(of: string, handler: unknown, sample: string, status = 200): Scenario {
  return {
    of,
    as: 'of a busy dog',
    async begin() {
      const { oracle, barkId } = await busyDog();
      const before = await stateOf(oracle.dog);
      const pathParameters = { dog_id: oracle.dog, bark_id: barkId };
      const act = request(handler, sample, { pathParameters });
      return {
        act,
        check: (first, trial) =>
          oracle.check({ act, statuses: { done: status } }, first, trial, async (verdict, _, { state }) => {
            verdict.expectThat(isDeepStrictEqual(state, before), 'it has changed something');
            const third = await again(act, trial);
            if (isDone(first) && of !== 'GET the dogs')
              verdict.expectThat(
                bodyOf(first) === bodyOf(third),
                `the response is incomplete: ${bodyOf(first)}`,
              );
          }),
      };
    },
  };
}

function bodyOf(outcome: InvocationResult): string {
  return outcome.kind === 'responded' ? outcome.result.body : '';
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
      const only = precondition === 'If-Match' ? await readDog(oracle.dog, context) : undefined;
      const onlyNew = precondition === 'If-None-Match';
      const call = {
        act: request(putDog, 'PutDog', {
          pathParameters: { dog_id: oracle.dog },
          body: JSON.stringify(wanted),
          headers: { ...(onlyNew && { 'If-None-Match': '*' }), ...(only && { 'If-Match': tagOf(only) }) },
        }),
        changeBy: (actor: Actor) => actor.put(wanted, { onlyNew, ...(only && { only }) }),
        statuses: { ...(isNew && { created: 201 }), replaced: 204, PreconditionFailed: 412 },
      };
      return { act: call.act, check: (first, trial) => oracle.check(call, first, trial) };
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
      const before = await stateOf(oracle.dog);
      const call = {
        act: request(deleteDog, 'DeleteDog', {
          pathParameters: { dog_id: oracle.dog },
          headers: demands ? { 'If-Match': tagOf(await readDog(oracle.dog, context)) } : {},
        }),
        changeBy: (actor: Actor) => actor.delete(),
        statuses: { done: 204, NotFound: 404 },
      };
      return {
        act: call.act,
        check: (first, trial) =>
          oracle.check(call, first, trial, (verdict, { state }) => {
            const others = (one: State) => ({ ...one, dog: undefined });
            verdict.expectThat(
              isDeepStrictEqual(others(state), others(before)),
              'the deletion changed items that only the purge deletes',
            );
          }),
      };
    },
  };
}

const context = { now, signal: new AbortController().signal };

function tagOf(dog: Dog): string {
  return validatorsOf(dog, {}).ETag;
}

export const dogs: readonly Scenario[] = [
  reading('GET a dog', getDog, 'GetDog'),
  reading('GET the dogs', listDogs, 'ListDogs'),
  reading('GET a bark', getBark, 'GetBark'),
  reading('GET the barks', listBarks, 'ListBarks'),
  reading('GET bark', getLastBark, 'GetLastBark'),
  reading('GET bark-schedule', getBarkSchedule, 'GetBarkSchedule'),
  reading('DELETE bark', deleteLastBark, 'DeleteLastBark', 204),
  putting('that is new'),
  putting('with If-None-Match', 'If-None-Match'),
  putting('that exists'),
  putting('with If-Match', 'If-Match'),
  deleting('that exists', false),
  deleting('with If-Match', true),
];
