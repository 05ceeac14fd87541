import { readSchedule } from '../../../domain/barks/queries.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { endpoint } from '../../../http/endpoint.ts';

export const handler = endpoint(async (request) => {
  const body = await readSchedule(request.parameter('dog_id'), request.context);
  return { status: 200, body };
});

export const prepare = preparation((context) => readSchedule(anyDog, context));
