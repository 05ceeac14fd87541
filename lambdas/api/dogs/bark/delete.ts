import { hasBarked } from '../../../domain/barks/queries.ts';
import { readDog } from '../../../domain/dogs/read.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { checkExistence } from '../../../http/conditional.ts';
import { endpoint } from '../../../http/endpoint.ts';

/** Changes nothing, because a bark that has happened cannot be undone. */
export const handler = endpoint(async (request) => {
  const dog = await readDog(request.parameter('dog_id'), request.context);
  await checkExistence(request, () => hasBarked(dog, request.context));
  return { status: 204 };
});

export const prepare = preparation((context) => readDog(anyDog, context));
