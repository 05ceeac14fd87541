import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { createBark } from '../../../../lambdas/domain/barks/create.ts';
import { deleteDog } from '../../../../lambdas/domain/dogs/delete.ts';
import { readDog } from '../../../../lambdas/domain/dogs/read.ts';
import { database } from '../../../../lambdas/domain/platform/dynamodb.ts';
import { purgeOrphans } from '../../../../lambdas/domain/removal/orphans.ts';
import { newContext } from '../../../support/context.ts';
import { newDogId, replaceSettings } from '../../../support/dogs.ts';
import { useFunctions } from '../../../support/faults.ts';
import { post } from '../../../support/schedules.ts';

useFunctions();

async function barkingDog(times: number, dog = newDogId()): Promise<string> {
  await replaceSettings(dog);
  for (let i = 0; i < times; i++) await createBark(dog, {}, newContext());
  return dog;
}

const remove = (dog: string) => deleteDog(dog, {}, newContext());

async function deletedDog(times: number): Promise<string> {
  const dog = await barkingDog(times);
  await remove(dog);
  return dog;
}

async function incarnationsOf(id: string): Promise<string[]> {
  const { Items = [] } = await database.send(
    new ScanCommand({ TableName: process.env.BARKS_TABLE, ConsistentRead: true }),
  );
  return Items.filter(({ dog }) => dog === id).map(({ incarnation }) => incarnation);
}

async function incarnationOf(dog: string): Promise<string> {
  return (await readDog(dog, newContext())).incarnation;
}

test('purgeOrphans purges orphans of each item type, and keeps the items of existing dogs', async () => {
  const gone = await barkingDog(2);
  await createBark(gone, { isAsync: true }, newContext());
  await post(gone, 1);
  await remove(gone);
  const again = await deletedDog(3);
  await barkingDog(1, again);
  const old = await barkingDog(1);
  // The first dog leaves two history entries, an asynchronous bark, its marker, a scheduled bark and an applied change. The
  // second dog leaves three history entries.
  expect(await purgeOrphans(newContext)).toEqual({ dogs: 2, items: 9 });
  for (const dog of [again, old]) expect(await incarnationsOf(dog)).toEqual([await incarnationOf(dog)]);
  expect(await incarnationsOf(gone)).toEqual([]);
  expect(await purgeOrphans(newContext)).toEqual({ dogs: 0, items: 0 });
});
