import { readBark } from '../../../domain/barks/queries.ts';
import { findDogAndBark } from '../../../domain/barks/repository.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { endpoint } from '../../../http/endpoint.ts';
import { barkResource, dogUrl } from '../../../http/representations.ts';

export const handler = endpoint(async (request) => {
  const bark = await readBark(request.parameter('dog_id'), request.parameter('bark_id'), request.context);
  const body = barkResource(bark, request.baseUrl);
  return bark.seeDog
    ? { status: 303, headers: { Location: dogUrl(request.baseUrl, bark.dog) }, body }
    : { status: 200, body };
});

export const prepare = preparation((context) => findDogAndBark(anyDog, undefined, context));
