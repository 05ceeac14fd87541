import { dogId } from '../../contract/dog-id.ts';
import { listDogs } from '../../domain/dogs/read.ts';
import { preparation } from '../../domain/platform/prepare.ts';
import { weakTag } from '../../http/conditional.ts';
import { endpoint } from '../../http/endpoint.ts';
import { nextLink, pageRequestOf } from '../../http/pagination.ts';
import { dogFields } from '../../http/representations.ts';

export const handler = endpoint(async (request) => {
  const page = pageRequestOf(request, dogId);
  const { dogs, next } = await listDogs(page, request.context);
  const link = nextLink(`${request.baseUrl}/v1/dogs/`, page, next);
  const body = { dogs: dogs.map(dogFields) };
  return { status: 200, headers: { ...link, ...weakTag(body, link) }, body };
});

export const prepare = preparation((context) => listDogs({ limit: 1 }, context));
