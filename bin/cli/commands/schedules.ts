import { readSchedule } from '../../../lambdas/domain/barks/queries.ts';
import { upcomingBarks } from '../../../lambdas/domain/dogs/schedule.ts';
import { endSchedule } from '../../../lambdas/domain/schedules/change.ts';
import { repairSchedules as repairInDomain } from '../../../lambdas/domain/schedules/repair.ts';
import type { Run } from '../command.ts';
import { collectDogs } from './dogs.ts';
import { newContext } from './parameters.ts';

export const listSchedules: Run = async (context) => {
  const { now } = newContext();
  const dogs = await collectDogs(context, (dog) => upcomingBarks(dog, now).next !== null);
  return dogs.map((dog) => ({ dog: dog.id, ...upcomingBarks(dog, now) }));
};

export const getSchedule: Run = async (_, dog: string) => (await readSchedule(dog, newContext())).shown;

export const deleteSchedule: Run = async (_, dog: string) => {
  await endSchedule(dog, newContext());
  return { deleted: dog };
};

export const repairSchedules: Run = async ({ fail }) => {
  const { refused, ...counts } = await repairInDomain(() => newContext());
  if (refused.length > 0)
    fail(`EventBridge Scheduler refused the schedules of these dogs: ${refused.join(', ')}.`);
  return { ...counts, refused };
};
