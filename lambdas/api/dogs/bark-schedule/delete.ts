import { readDog } from '../../../domain/dogs/read.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { endSchedule } from '../../../domain/schedules/change.ts';
import { preconditionOf } from '../../../http/conditional.ts';
import { endpoint } from '../../../http/endpoint.ts';

export const handler = endpoint(async (request) => {
  await endSchedule(request.parameter('dog_id'), request.context, preconditionOf(request));
  return { status: 204 };
});

export const prepare = preparation((context) => readDog(anyDog, context));
