import { deleteDog } from '../../domain/dogs/delete.ts';
import { readDog } from '../../domain/dogs/read.ts';
import { anyDog, preparation } from '../../domain/platform/prepare.ts';
import { preconditionOf } from '../../http/conditional.ts';
import { endpoint } from '../../http/endpoint.ts';

export const handler = endpoint(async (request) => {
  await deleteDog(request.parameter('dog_id'), preconditionOf(request), request.context);
  return { status: 204 };
});

export const prepare = preparation((context) => readDog(anyDog, context));
