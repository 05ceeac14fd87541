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
import { createBark } from '../../../lambdas/domain/barks/create.ts';
import type { DogSettings } from '../../../lambdas/domain/dogs/dog.ts';
import { readDog } from '../../../lambdas/domain/dogs/read.ts';
import { postSchedule } from '../../../lambdas/domain/schedules/change.ts';
import { validatorsOf } from '../../../lambdas/http/conditional.ts';
import { newDog } from '../../support/dogs.ts';
import { again, checkRepeatable, now, request, type Scenario, Verdict } from '../scenario.ts';
import { type State, stateOf } from '../state.ts';
import { type InvocationResult, isDone, statusOf } from '../trial.ts';

const context = { now: now - 60_000, signal: new AbortController().signal };

/** Creates a dog with a recorded bark, a pending bark and a schedule. */
async function busyDog(): Promise<{ dog: string; barkId: string }> {
  const dog = await newDog('sync', ['record']);
  const recorded = await createBark(dog, {}, context);
  await createBark(dog, { isAsync: true }, context);
  await postSchedule(dog, { token: 1, next: now / 1000 + 600, frequency: 10 }, context);
  if (recorded.kind !== 'recorded') throw new Error(recorded.kind);
  return { dog, barkId: recorded.bark.id };
}

/** Returns the scenario of a request that changes nothing, whether it succeeds or fails. */
function reading(of: string, handler: unknown, sample: string, status = 200): Scenario {
  return {
    of,
    as: 'of a busy dog',
    async begin() {
      const { dog, barkId } = await busyDog();
      const before = await stateOf(dog);
      const act = request(handler, sample, { pathParameters: { dog_id: dog, bark_id: barkId } });
      return {
        act,
        check: (first, trial) =>
          checkRepeatable({ dog, before, act, usual: [status] }, first, trial, async (verdict, _, end) => {
            verdict.expectThat(isDeepStrictEqual(end, before), 'it has changed something');
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

function hasWanted({ dog }: State): boolean {
  const { email, barkEffects, barkHandling } = dog?.settings ?? {};
  return isDeepStrictEqual({ email, barkEffects, barkHandling }, wanted);
}

let made = 0;

/** @param demand the precondition that the client sends */
function creating(as: string, demand: Record<string, string> = {}): Scenario {
  return {
    of: 'PUT a dog',
    as,
    async begin() {
      const dog = `new-${made++}`;
      const act = request(putDog, 'PutDog', {
        pathParameters: { dog_id: dog },
        body: JSON.stringify(wanted),
        headers: demand,
      });
      return {
        act,
        async check(first, trial) {
          const verdict = new Verdict();
          verdict.checkResponse(first, 201);
          const after = await stateOf(dog);
          verdict.checkState(after);
          verdict.checkBarks(after.dog ? 1 : 0, isDone(first) ? { least: 1 } : { least: 0, most: 1 });
          verdict.expectThat(!after.dog || hasWanted(after), 'the dog does not have the requested settings');
          const second = await again(act, trial);
          // If the first response was lost, the second one shows that the dog exists.
          const expected = after.dog ? ('If-None-Match' in demand ? 412 : 204) : 201;
          verdict.expectThat(
            statusOf(second) === expected,
            `the repeat is ${statusOf(second)}, not ${expected}`,
          );
          const end = await stateOf(dog);
          verdict.checkState(end, after);
          verdict.expectThat(hasWanted(end), 'the dog does not have the requested settings');
          return verdict;
        },
      };
    },
  };
}

function replacing(as: string, demands: boolean): Scenario {
  return {
    of: 'PUT a dog',
    as,
    async begin() {
      const { dog } = await busyDog();
      const before = await stateOf(dog);
      const demand = demands ? { 'If-Match': await tagOf(dog) } : {};
      const act = request(putDog, 'PutDog', {
        pathParameters: { dog_id: dog },
        body: JSON.stringify(wanted),
        headers: demand,
      });
      return {
        act,
        async check(first, trial) {
          const verdict = new Verdict();
          verdict.checkResponse(first, 204);
          const after = await stateOf(dog);
          verdict.checkProgress(after, before);
          const kept = ({ dog: one, ...others }: State) => [one?.barkCount, one?.schedule, others];
          verdict.expectThat(
            isDeepStrictEqual(kept(after), kept(before)),
            'the count, the schedule or the barks have changed',
          );
          const isThere = hasWanted(after);
          verdict.expectThat(
            isThere || isDeepStrictEqual(after, before),
            'the dog is neither the old one nor the new one',
          );
          verdict.checkBarks(isThere ? 1 : 0, isDone(first) ? { least: 1 } : { least: 0, most: 1 });
          const second = await again(act, trial);
          const expected = demands && isThere ? 412 : 204;
          verdict.expectThat(
            statusOf(second) === expected,
            `the repeat is ${statusOf(second)}, not ${expected}`,
          );
          const end = await stateOf(dog);
          verdict.checkProgress(end, after);
          verdict.expectThat(hasWanted(end), 'the dog does not have the requested settings');
          return verdict;
        },
      };
    },
  };
}

function deleting(as: string, demands: boolean): Scenario {
  return {
    of: 'DELETE a dog',
    as,
    async begin() {
      const { dog } = await busyDog();
      const before = await stateOf(dog);
      const act = request(deleteDog, 'DeleteDog', {
        pathParameters: { dog_id: dog },
        headers: demands ? { 'If-Match': await tagOf(dog) } : {},
      });
      return {
        act,
        async check(first, trial) {
          const verdict = new Verdict();
          verdict.checkResponse(first, 204);
          const after = await stateOf(dog);
          verdict.checkBarks(after.dog ? 0 : 1, isDone(first) ? { least: 1 } : { least: 0, most: 1 });
          const others = (state: State) => ({ ...state, dog: undefined });
          verdict.expectThat(
            !after.dog || isDeepStrictEqual(after.dog, before.dog),
            'the dog still exists, but has changed',
          );
          verdict.expectThat(
            isDeepStrictEqual(others(after), others(before)),
            'the deletion changed items that only the purge deletes',
          );
          const second = await again(act, trial);
          const expected = after.dog ? 204 : 404;
          verdict.expectThat(
            statusOf(second) === expected,
            `the repeat is ${statusOf(second)}, not ${expected}`,
          );
          verdict.expectThat(!(await stateOf(dog)).dog, 'the dog still exists');
          return verdict;
        },
      };
    },
  };
}

async function tagOf(dog: string): Promise<string> {
  return validatorsOf(await readDog(dog, context), {}).ETag;
}

export const dogs: readonly Scenario[] = [
  reading('GET a dog', getDog, 'GetDog'),
  reading('GET the dogs', listDogs, 'ListDogs'),
  reading('GET a bark', getBark, 'GetBark'),
  reading('GET the barks', listBarks, 'ListBarks'),
  reading('GET bark', getLastBark, 'GetLastBark'),
  reading('GET bark-schedule', getBarkSchedule, 'GetBarkSchedule'),
  reading('DELETE bark', deleteLastBark, 'DeleteLastBark', 204),
  creating('that is new'),
  creating('with If-None-Match', { 'If-None-Match': '*' }),
  replacing('that exists', false),
  replacing('with If-Match', true),
  deleting('that exists', false),
  deleting('with If-Match', true),
];
