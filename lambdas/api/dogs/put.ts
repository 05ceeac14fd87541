import { dogId, invalidDogId } from '../../contract/dog-id.ts';
import { newDogView } from '../../domain/barks/queries.ts';
import { putDog } from '../../domain/dogs/put.ts';
import { readDog } from '../../domain/dogs/read.ts';
import { anyDog, preparation } from '../../domain/platform/prepare.ts';
import { preconditionOf, validatorsOf } from '../../http/conditional.ts';
import { parsedDog } from '../../http/dog-document.ts';
import { endpointWithParser } from '../../http/endpoint.ts';
import { checkId } from '../../http/json-body.ts';
import { Problem } from '../../http/problem.ts';
import { dogDocument, dogUrl } from '../../http/representations.ts';

export const handler = endpointWithParser({ acceptHeader: 'Accept' }, parsedDog, async (request) => {
  const { document, invalid } = request.body;
  const id = request.parameter('dog_id');
  if (!dogId.test(id)) throw new Problem('invalid-dog-id', invalidDogId(id));
  checkId(id, document.id);
  const precondition = preconditionOf(request);
  const created = await putDog(id, document.settings, precondition, request.context, invalid);
  if (!created) return { status: 204 };
  const body = dogDocument(newDogView(created));
  const headers = { Location: dogUrl(request.baseUrl, id), ...validatorsOf(created, body) };
  return { status: 201, headers, body };
});

export const prepare = preparation((context) => readDog(anyDog, context));
