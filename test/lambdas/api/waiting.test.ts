import { handler as postBarks } from '../../../lambdas/api/dogs/barks/post.ts';
import { waitingTimeoutSeconds } from '../../../lambdas/contract/waiting.ts';
import { newDog } from '../../support/dogs.ts';
import { duringPauses } from '../../support/during-pauses.ts';
import { plan, useFunctions } from '../../support/faults.ts';
import { invoke } from '../../support/invoke.ts';
import { useLogs } from '../../support/logs.ts';
import { skipPauses } from '../../support/pauses.ts';

useFunctions();
const logs = useLogs();
skipPauses();

function post(
  dog_id: string,
  Prefer: string,
  remaining: number | (() => number) = waitingTimeoutSeconds * 1_000,
) {
  const pathParameters = { dog_id };
  return invoke(postBarks, 'PostBarks', { pathParameters, headers: { Prefer }, body: null, remaining });
}

describe('POST /v1/dogs/{dog_id}/barks with Prefer: wait', () => {
  test('returns 202 before the timeout of the function if a read of the bark hangs', async () => {
    const dog = await newDog('async', ['record']);
    duringPauses(async () => plan('GetItem', 'hangs'));
    // Otherwise, the service responds with 503 when two seconds are left.
    expect((await post(dog, 'wait=10', 4_200)).statusCode).toBe(202);
  });

  test('makes no call after the acceptance, and logs nothing, if the acceptance takes longer than the wait', async () => {
    const dog = await newDog('async', ['record']);
    let leftMs = waitingTimeoutSeconds * 1_000;
    const pauses = duringPauses();
    plan('TransactWriteItems', async () => {
      leftMs -= 8_000;
    });
    expect((await post(dog, 'wait=3', () => leftMs)).statusCode).toBe(202);
    expect([pauses, logs.warn]).toEqual([[], []]);
  });

  test('waits for no more than 8 seconds until the bark is accepted', async () => {
    const dog = await newDog('async', ['record']);
    const { setTimeout } = globalThis;
    const shortened = jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation((work, delayMs) => setTimeout(work, delayMs === 8_000 ? 50 : delayMs));
    plan('TransactWriteItems', 'hangs');
    const began = performance.now();
    expect((await post(dog, 'wait=10')).statusCode).toBe(503);
    expect(performance.now() - began).toBeLessThan(2_500);
    shortened.mockRestore();
  });
});
