import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { readLastBark, showDog } from '../../../lambdas/domain/barks.ts';
import { database } from '../../../lambdas/domain/database.ts';
import { readDog } from '../../../lambdas/domain/dogs.ts';
import { slotUlid } from '../../../lambdas/domain/schedule.ts';
import { useDatabase } from '../../support/database.ts';
import { newDog } from '../../support/dogs.ts';

useDatabase();

const at = Date.UTC(2026, 10, 21, 12) / 1000;

function call() {
  return { now: Date.now(), signal: AbortSignal.timeout(8_000) };
}

/** A dog that has barked every minute. */
async function dogWith(barks: number): Promise<string> {
  const id = await newDog('sync', ['record']);
  const { life } = await readDog(id, call());
  const noteOf = (n: number) => {
    const timestamp = at + n * 60;
    const sk = `b#${slotUlid({ generation: life }, timestamp)}`;
    return { PutRequest: { Item: { dog: id, sk, life, timestamp, resource: true } } };
  };
  const batches = Array.from({ length: barks / 25 }, (_, i) =>
    Array.from({ length: 25 }, (_, j) => noteOf(i * 25 + j)),
  );
  const next = async (): Promise<void> => {
    const batch = batches.pop();
    if (!batch) return;
    await database.send(
      new BatchWriteCommand({ RequestItems: { [String(process.env.BARKS_TABLE)]: batch } }),
    );
    return next();
  };
  await Promise.all(Array.from({ length: 8 }, next));
  return id;
}

/** What the database is asked for, and what it reads for that, while something is done. */
async function costOf(act: () => Promise<unknown>): Promise<string[]> {
  const asked: string[] = [];
  database.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        (args.input as Record<string, unknown>).ReturnConsumedCapacity = 'TOTAL';
        const result = await next(args);
        const { Count, ConsumedCapacity } = result.output as Record<string, unknown>;
        asked.push(JSON.stringify({ commandName, Count, ConsumedCapacity }));
        return result;
      },
    { step: 'initialize', name: 'cost' },
  );
  await act();
  database.middlewareStack.remove('cost');
  // Calls that are made side by side end in any order.
  return asked.sort();
}

test('A dog that has barked 100,000 times costs what one costs that has barked 100 times', async () => {
  const [few, many] = [await dogWith(100), await dogWith(100_000)];
  const [cheap, dear] = [await costOf(() => showDog(few, call())), await costOf(() => showDog(many, call()))];
  expect(cheap).toHaveLength(3);
  expect(dear).toEqual(cheap);
  expect((await showDog(many, call())).previous).toHaveLength(100);
  expect(await costOf(() => readLastBark(many, call()))).toEqual(
    await costOf(() => readLastBark(few, call())),
  );
}, 60_000);
