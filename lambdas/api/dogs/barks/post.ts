import { createBark } from '../../../domain/barks/create.ts';
import { BarkDocument } from '../../../domain/barks/schema.ts';
import { readDog } from '../../../domain/dogs/repository.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { endpointWithBody } from '../../../http/endpoint.ts';
import { idempotencyKey } from '../../../http/idempotency-key.ts';
import { accepted, prefersAsync } from '../../../http/prefer.ts';
import { barkResource, barkUrl, dogUrl } from '../../../http/representations.ts';

export const handler = endpointWithBody(
  { schema: BarkDocument, empty: {}, acceptHeader: 'Accept-Post' },
  async (request) => {
    const { baseUrl, body, user } = request;
    const dogId = request.parameter('dog_id');
    const key = idempotencyKey(request, 'barks');
    const outcome = await createBark(
      dogId,
      { ...body, user, isAsync: prefersAsync(request), key },
      request.context,
    );
    switch (outcome.kind) {
      case 'sent':
        return { status: 200 };
      case 'counted':
        return { status: 303, headers: { Location: dogUrl(baseUrl, dogId) } };
      case 'recorded':
        return {
          status: 201,
          headers: { Location: barkUrl(baseUrl, outcome.bark) },
          body: barkResource(outcome.bark, baseUrl),
        };
      case 'accepted':
        return accepted(request, barkUrl(baseUrl, outcome.bark));
    }
  },
);

export const prepare = preparation((context) => readDog(anyDog, context));
