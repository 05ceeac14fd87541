import { barkCursor } from '../../../domain/barks/bark.ts';
import { listBarks } from '../../../domain/barks/queries.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { endpoint } from '../../../http/endpoint.ts';
import { nextLink, pageRequestOf } from '../../../http/pagination.ts';
import { barkResource, dogUrl } from '../../../http/representations.ts';

export const handler = endpoint(async (request) => {
  const { baseUrl } = request;
  const dogId = request.parameter('dog_id');
  const page = pageRequestOf(request, barkCursor);
  const { barks, next } = await listBarks(dogId, page, request.context);
  return {
    status: 200,
    headers: nextLink(`${dogUrl(baseUrl, dogId)}barks`, page, next),
    body: { barks: barks.map((bark) => barkResource(bark, baseUrl)) },
  };
});

export const prepare = preparation((context) => listBarks(anyDog, { limit: 1 }, context));
