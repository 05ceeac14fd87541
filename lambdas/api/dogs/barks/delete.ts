import { cancelBark } from '../../../domain/barks/async/cancel.ts';
import { findDogAndBark } from '../../../domain/barks/repository.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { endpoint } from '../../../http/endpoint.ts';

export const handler = endpoint(async (request) => {
  await cancelBark(request.parameter('dog_id'), request.parameter('bark_id'), request.context);
  return { status: 204 };
});

export const prepare = preparation((context) => findDogAndBark(anyDog, undefined, context));
