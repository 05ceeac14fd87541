import type { Bark } from '../../../domain/barks/bark.ts';
import { findDogAndBark } from '../../../domain/barks/barks-table.ts';
import { cancelBark } from '../../../domain/barks/cancel.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { barkValidators, checkPreconditions } from '../../../http/conditional.ts';
import { endpoint } from '../../../http/endpoint.ts';
import { barkResource } from '../../../http/representations.ts';

export const handler = endpoint(async (request) => {
  const check = (bark: Bark) =>
    checkPreconditions(request, barkValidators(bark, barkResource(bark, request.baseUrl)));
  await cancelBark(request.parameter('dog_id'), request.parameter('bark_id'), request.context, check);
  return { status: 204 };
});

export const prepare = preparation((context) => findDogAndBark(anyDog, undefined, context));
