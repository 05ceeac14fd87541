import { deleteDog } from '../../domain/dogs/repository.ts';
import { preconditionOf } from '../../http/conditional.ts';
import { endpoint } from '../../http/endpoint.ts';

export const handler = endpoint(async (request) => {
  await deleteDog(request.parameter('dog_id'), preconditionOf(request), request.context);
  return { status: 204 };
});
