import type * as v from 'valibot';
import { newDogView } from '../../domain/barks/queries.ts';
import { dogId } from '../../domain/dogs/dog.ts';
import { putDog } from '../../domain/dogs/put.ts';
import { readDog } from '../../domain/dogs/read.ts';
import { DogPutDocument, storedDogDocument } from '../../domain/dogs/schema.ts';
import { anyDog, preparation } from '../../domain/platform/prepare.ts';
import { preconditionOf, validatorsOf } from '../../http/conditional.ts';
import { endpointWithParser } from '../../http/endpoint.ts';
import { checkId, validate } from '../../http/json-body.ts';
import { Problem } from '../../http/problem.ts';
import { dogDocument, dogUrl } from '../../http/representations.ts';

export const handler = endpointWithParser({ acceptHeader: 'Accept' }, parsed, async (request) => {
  const { document, invalid } = request.body;
  const id = request.parameter('dog_id');
  if (!dogId.test(id))
    throw new Problem(
      'invalid-dog-id',
      `"${id}" is not a valid ID for a dog. An ID has 1 to 40 characters: letters, digits, - and _.`,
    );
  checkId(id, document.id);
  const precondition = preconditionOf(request);
  const created = await putDog(id, document.settings, precondition, request.context, invalid);
  if (!created) return { status: 204 };
  const body = dogDocument(newDogView(created));
  const headers = { Location: dogUrl(request.baseUrl, id), ...validatorsOf(created, body) };
  return { status: 201, headers, body };
});

/**
 * Returns the problem for an address that only version 1.1.0 accepted, instead of throwing it, because a dog that has the address
 * may keep it.
 */
function parsed(body: unknown): { document: v.InferOutput<typeof DogPutDocument>; invalid?: Error } {
  try {
    return { document: validate(DogPutDocument, body) };
  } catch (error) {
    try {
      return { document: validate(storedDogDocument(), body), invalid: error as Error };
    } catch {
      throw error;
    }
  }
}

export const prepare = preparation((context) => readDog(anyDog, context));
