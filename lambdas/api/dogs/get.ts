import { isUnchangedSince, readDogView } from '../../domain/barks/queries.ts';
import { anyDog, preparation } from '../../domain/platform/prepare.ts';
import { isNotModified, validatorsOf } from '../../http/conditional.ts';
import { endpoint } from '../../http/endpoint.ts';
import { dogDocument } from '../../http/representations.ts';

export const handler = endpoint(async (request) => {
  const shown = await readDogView(request.parameter('dog_id'), request.context);
  const body = dogDocument(shown);
  const validators = validatorsOf(shown.dog, body);
  const headers = { 'Cache-Control': 'private, no-cache', ...validators };
  const isUnchanged = (since: number) => isUnchangedSince(shown, since, request.context);
  return (await isNotModified(request, validators, isUnchanged))
    ? { status: 304, headers }
    : { status: 200, headers, body };
});

export const prepare = preparation((context) => readDogView(anyDog, context));
