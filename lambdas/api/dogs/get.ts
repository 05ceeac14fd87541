import { readDogWithBarks } from '../../domain/barks.ts';
import { isFresh, validatorsOf } from '../../http/conditional.ts';
import { endpoint } from '../../http/endpoint.ts';
import { dogDocument } from '../../http/representations.ts';

export const handler = endpoint(async (request) => {
  const { dog, previous } = await readDogWithBarks(request.parameter('dog_id'), request);
  const body = dogDocument(dog, previous);
  const validators = validatorsOf(dog, body);
  const headers = { 'Cache-Control': 'private, no-cache', ...validators };
  return isFresh(request, validators.ETag) ? { status: 304, headers } : { status: 200, headers, body };
});
