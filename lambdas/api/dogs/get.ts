import { readDogWithBarks } from '../../domain/barks.ts';
import { entityTag, isFresh } from '../../http/conditional.ts';
import { endpoint } from '../../http/endpoint.ts';
import { dogDocument } from '../../http/representations.ts';

export const handler = endpoint(async (request) => {
  const { dog, previous } = await readDogWithBarks(request.parameter('dog_id'), request);
  const body = dogDocument(dog, previous);
  const tag = entityTag(dog, body);
  const headers = {
    'Cache-Control': 'private, no-cache',
    ETag: tag,
    'Last-Modified': new Date(dog.lastModified * 1000).toUTCString(),
  };
  return isFresh(request, tag) ? { status: 304, headers } : { status: 200, headers, body };
});
