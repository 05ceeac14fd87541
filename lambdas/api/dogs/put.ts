import { newDogView } from '../../domain/barks/queries.ts';
import { dogId } from '../../domain/dogs/dog.ts';
import { putDog } from '../../domain/dogs/put.ts';
import { readDog } from '../../domain/dogs/read.ts';
import { DogPutDocument } from '../../domain/dogs/schema.ts';
import { anyDog, preparation } from '../../domain/platform/prepare.ts';
import { preconditionOf, validatorsOf } from '../../http/conditional.ts';
import { endpointWithBody } from '../../http/endpoint.ts';
import { checkId } from '../../http/json-body.ts';
import { Problem } from '../../http/problem.ts';
import { dogDocument, dogUrl } from '../../http/representations.ts';

export const handler = endpointWithBody(
  { schema: DogPutDocument, acceptHeader: 'Accept' },
  async (request) => {
    const id = request.parameter('dog_id');
    if (!dogId.test(id))
      throw new Problem(
        'invalid-dog-id',
        `"${id}" is not a valid ID for a dog. An ID has 1 to 40 characters: letters, digits, - and _.`,
      );
    checkId(id, request.body.id);
    const created = await putDog(id, request.body.settings, preconditionOf(request), request.context);
    if (!created) return { status: 204 };
    const body = dogDocument(newDogView(created));
    const headers = { Location: dogUrl(request.baseUrl, id), ...validatorsOf(created, body) };
    return { status: 201, headers, body };
  },
);

export const prepare = preparation((context) => readDog(anyDog, context));
