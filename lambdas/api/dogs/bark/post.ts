import { hasBarked } from '../../../domain/barks/queries.ts';
import { readDog } from '../../../domain/dogs/read.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { checkExistence } from '../../../http/conditional.ts';
import { lastBarkUrl, recordLink } from '../../../http/representations.ts';
import { barkEndpoint } from '../bark-endpoint.ts';

export const handler = barkEndpoint({
  resource: 'bark',
  inHistory: true,
  check: (request, dog, context) => checkExistence(request, () => hasBarked(dog, context)),
  responseTo: (outcome, { baseUrl }, dogId) => {
    const isRecorded = outcome.kind === 'recorded';
    return {
      status: 201,
      headers: {
        Location: lastBarkUrl(baseUrl, dogId),
        ...(isRecorded && recordLink(baseUrl, outcome.bark)),
      },
      body: { timestamp: isRecorded ? outcome.bark.timestamp : outcome.timestamp },
    };
  },
});

export const prepare = preparation((context) => readDog(anyDog, context));
