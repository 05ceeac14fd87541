import { readLastBark } from '../../../domain/barks/queries.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { endpoint } from '../../../http/endpoint.ts';
import { recordLink } from '../../../http/representations.ts';

export const handler = endpoint(async (request) => {
  const { baseUrl } = request;
  const dog = request.parameter('dog_id');
  const { timestamp, id } = await readLastBark(dog, request.context);
  return {
    status: 200,
    headers: id === undefined ? {} : recordLink(baseUrl, { dog, id }),
    body: { timestamp },
  };
});

export const prepare = preparation((context) => readLastBark(anyDog, context));
