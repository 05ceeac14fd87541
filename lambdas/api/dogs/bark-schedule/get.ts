import { isScheduleUnchangedSince } from '../../../domain/dogs/schedule.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { readSchedule } from '../../../domain/schedules/read.ts';
import { validatorsOf } from '../../../http/conditional.ts';
import { endpoint } from '../../../http/endpoint.ts';

export const handler = endpoint(async (request) => {
  const { dog, shown } = await readSchedule(request.parameter('dog_id'), request.context);
  return {
    status: 200,
    headers: validatorsOf(dog, shown),
    body: shown,
    isUnchangedSince: (since) => isScheduleUnchangedSince(dog, shown.next, since, request.context.now),
  };
});

export const prepare = preparation((context) => readSchedule(anyDog, context));
