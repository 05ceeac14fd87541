import { dogId } from '../../contract/dog-id.ts';
import { scheduleId } from '../dogs/schedule.ts';
import { isUlid, matches, validEvent } from '../platform/event.ts';
import type { purgeDog } from './purge.ts';

type RemovedDog = Parameters<typeof purgeDog>[0];

/** The event source mapping's filter lets only removals through. */
export function removedDogs(event: unknown): RemovedDog[] {
  const { Records } = validEvent<{ Records: unknown[] }>(event, {
    Records: (records) => Array.isArray(records) && records.length > 0,
  });
  return Records.map(removedDog);
}

/** A DynamoDB attribute value. */
interface Attribute {
  readonly S?: unknown;
  readonly M?: Readonly<Record<string, Attribute | undefined>>;
}

function removedDog(record: unknown): RemovedDog {
  const { dynamodb } = Object(record) as { readonly dynamodb?: { readonly OldImage?: Attribute['M'] } };
  const { id, incarnation, schedule } = dynamodb?.OldImage ?? {};
  const members = { id: id?.S, incarnation: incarnation?.S, scheduleId: schedule?.M?.scheduleId?.S };
  const dog = validEvent<{ id: string; incarnation: string; scheduleId: string }>(members, {
    id: matches(dogId),
    incarnation: isUlid,
    scheduleId: (value) => schedule === undefined || matches(scheduleId)(value),
  });
  return {
    id: dog.id,
    incarnation: dog.incarnation,
    ...(schedule && { schedule: { scheduleId: dog.scheduleId } }),
  };
}
