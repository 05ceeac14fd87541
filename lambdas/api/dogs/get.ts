import { isUnchangedSince, readDogView } from '../../domain/barks/queries.ts';
import { anyDog, preparation } from '../../domain/platform/prepare.ts';
import { validatorsOf } from '../../http/conditional.ts';
import { endpoint } from '../../http/endpoint.ts';
import { dogDocument } from '../../http/representations.ts';

export const handler = endpoint(async (request) => {
  const shown = await readDogView(request.parameter('dog_id'), request.context);
  const body = dogDocument(shown);
  return {
    status: 200,
    headers: validatorsOf(shown.dog, body),
    body,
    isUnchangedSince: (since) => isUnchangedSince(shown, since, request.context),
  };
});

export const prepare = preparation((context) => readDogView(anyDog, context));
