import { database } from '../../../../lambdas/domain/platform/dynamodb.ts';
import { at, newContext } from '../../../support/context.ts';
import { useDatabase } from '../../../support/database.ts';
import { newDog } from '../../../support/dogs.ts';
import { injectFaults, reset } from '../../../support/faults.ts';
import { patch } from '../../../support/schedules.ts';

useDatabase();
beforeAll(injectFaults);
beforeEach(reset);

test('a repeat is recognized even if it reads the item of a deleted dog before that of the first request', async () => {
  const dog = await newDog('sync', ['count']);
  const send = () =>
    patch(dog, { barks: { next: 0, frequency: 10 } }, newContext({ after: 1 }), { since: at });
  expect(await send()).toBe('changed');
  const actual = database.send.bind(database);
  // BatchGetItem reads the dog after the first request, and the applied change before it.
  jest.spyOn(database, 'send').mockImplementationOnce(async (command, ...others) => {
    const output = await (
      actual as (...parameters: unknown[]) => Promise<{ Responses: Record<string, object[]> }>
    )(command, ...others);
    for (const items of Object.values(output.Responses))
      for (const item of items) if ('change' in item) Object.assign(item, { incarnation: 'deleted' });
    return output;
  });
  expect(await send()).toBe('repeated');
});
