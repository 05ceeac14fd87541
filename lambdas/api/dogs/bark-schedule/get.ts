import { readSchedule } from '../../../domain/barks/queries.ts';
import { endpoint } from '../../../http/endpoint.ts';

export const handler = endpoint(async (request) => {
  const body = await readSchedule(request.parameter('dog_id'), request.context);
  return { status: 200, body };
});
