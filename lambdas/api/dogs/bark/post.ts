import { hasBarked } from '../../../domain/barks/queries.ts';
import type { BarkRequest } from '../../../domain/barks/request.ts';
import { BarkDocument } from '../../../domain/barks/schema.ts';
import { readDog } from '../../../domain/dogs/read.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { createBarkAndWait } from '../../../domain/waiting/create-bark.ts';
import { accepted, notPerformed } from '../../../http/bark-responses.ts';
import { checkExistence } from '../../../http/conditional.ts';
import { endpointWithBody } from '../../../http/endpoint.ts';
import { idempotencyKey } from '../../../http/idempotency-key.ts';
import { preferenceApplied, prefersAsync, waitLimits } from '../../../http/prefer.ts';
import { barkUrl, lastBarkUrl, recordLink } from '../../../http/representations.ts';

export const handler = endpointWithBody(
  { schema: BarkDocument, empty: {}, acceptHeader: 'Accept-Post' },
  async (request) => {
    const { baseUrl, body, user } = request;
    const dogId = request.parameter('dog_id');
    const key = idempotencyKey(request, 'bark');
    const check: BarkRequest['check'] = (dog, context) =>
      checkExistence(request, () => hasBarked(dog, context));
    const options = { ...body, user, isAsync: prefersAsync(request), inHistory: true, key, check };
    const { isAsync, outcome } = await createBarkAndWait(
      dogId,
      options,
      waitLimits(request),
      request.context,
    );
    if (outcome.kind === 'accepted') return accepted(request, barkUrl(baseUrl, outcome.bark));
    if (outcome.kind === 'notPerformed') return notPerformed(request, outcome.bark);
    const isRecorded = outcome.kind === 'recorded';
    return {
      status: 201,
      headers: {
        ...(isAsync && preferenceApplied(request, 'respond-async', 'wait')),
        Location: lastBarkUrl(baseUrl, dogId),
        ...(isRecorded && recordLink(baseUrl, outcome.bark)),
      },
      body: { timestamp: isRecorded ? outcome.bark.timestamp : outcome.timestamp },
    };
  },
);

export const prepare = preparation((context) => readDog(anyDog, context));
