import { BarkDocument } from '../../../domain/barks/schema.ts';
import { readDog } from '../../../domain/dogs/read.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { createBarkAndWait } from '../../../domain/waiting/create-bark.ts';
import { accepted, notPerformed } from '../../../http/bark-responses.ts';
import { checkPreconditions } from '../../../http/conditional.ts';
import { endpointWithBody } from '../../../http/endpoint.ts';
import { idempotencyKey } from '../../../http/idempotency-key.ts';
import { preferenceApplied, prefersAsync, waitLimits } from '../../../http/prefer.ts';
import { barkResource, barkUrl, dogUrl, unrecordedBark } from '../../../http/representations.ts';

export const handler = endpointWithBody(
  { schema: BarkDocument, empty: {}, acceptHeader: 'Accept-Post' },
  async (request) => {
    const { baseUrl, body, user } = request;
    const dogId = request.parameter('dog_id');
    const key = idempotencyKey(request, 'barks');
    const { isAsync, outcome } = await createBarkAndWait(
      dogId,
      {
        ...body,
        user,
        isAsync: prefersAsync(request),
        key,
        check: () => checkPreconditions(request, {}),
      },
      waitLimits(request),
      request.context,
    );
    const headers = isAsync ? preferenceApplied(request, 'respond-async', 'wait') : {};
    switch (outcome.kind) {
      case 'sent':
        return { status: 200, headers, body: unrecordedBark(dogId, outcome.timestamp, baseUrl) };
      case 'counted':
        return {
          status: 303,
          headers: { ...headers, Location: dogUrl(baseUrl, dogId) },
          body: unrecordedBark(dogId, outcome.timestamp, baseUrl),
        };
      case 'recorded':
        return {
          status: 201,
          headers: { ...headers, Location: barkUrl(baseUrl, outcome.bark) },
          body: barkResource(outcome.bark, baseUrl),
        };
      case 'accepted':
        return accepted(request, barkUrl(baseUrl, outcome.bark));
      case 'notPerformed':
        return notPerformed(request, outcome.bark);
    }
  },
);

export const prepare = preparation((context) => readDog(anyDog, context));
