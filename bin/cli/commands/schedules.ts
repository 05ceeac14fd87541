import type { Dog } from '../../../lambdas/domain/dogs/dog.ts';
import { listDogs } from '../../../lambdas/domain/dogs/read.ts';
import { upcomingBarks } from '../../../lambdas/domain/dogs/schedule.ts';
import { endSchedule } from '../../../lambdas/domain/schedules/change.ts';
import { readSchedule } from '../../../lambdas/domain/schedules/read.ts';
import { repairSchedules } from '../../../lambdas/domain/schedules/repair.ts';
import type { CommandContext } from '../command.ts';
import type { OperatorRun } from '../operator-group.ts';
import { newContext } from '../parameters.ts';

export const list: OperatorRun = async (context) => {
  const { now } = newContext();
  const dogs = await scheduledDogs(context, now);
  return dogs.map((dog) => ({ dog: dog.id, last: dog.lastOccurrence ?? null, ...upcomingBarks(dog, now) }));
};

const pageSize = 100;

/** Returns at most `--limit` dogs. Prints a notice if there are more. */
async function scheduledDogs({ options, notice }: CommandContext, now: number): Promise<Dog[]> {
  const { limit = 100 } = options;
  const found: Dog[] = [];
  for (let after: string | undefined; ; ) {
    const page = await listDogs({ limit: pageSize, after }, newContext());
    found.push(...page.dogs.filter((dog) => upcomingBarks(dog, now).next !== null));
    if (found.length > limit) break;
    if (page.next === undefined) return found;
    after = page.next;
  }
  notice(`There are more than ${limit}. Show more with --limit.`);
  return found.slice(0, limit);
}

export const get: OperatorRun = async (_, id: string) => {
  const context = newContext();
  const { dog, shown } = await readSchedule(id, context);
  return { ...shown, frequency: upcomingBarks(dog, context.now).frequency };
};

const deleteOne: OperatorRun = async (_, dog: string) => {
  await endSchedule(dog, newContext());
  return { deleted: dog };
};

export const repair: OperatorRun = async ({ fail }) => {
  const { refused, ...counts } = await repairSchedules(() => newContext());
  if (refused.length > 0)
    fail(`EventBridge Scheduler refused the schedules of these dogs: ${refused.join(', ')}.`);
  return { ...counts, refused };
};

// A function cannot be named delete.
export { deleteOne as delete };
