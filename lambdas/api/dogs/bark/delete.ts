import { readDog } from '../../../domain/dogs/repository.ts';
import { endpoint } from '../../../http/endpoint.ts';

/** A bark that happened cannot be taken back: this is accepted, and ignored. */
export const handler = endpoint(async (request) => {
  await readDog(request.parameter('dog_id'), request.context);
  return { status: 204 };
});
