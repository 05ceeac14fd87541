import { readDog } from '../../../domain/dogs/read.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { checkPreconditions } from '../../../http/conditional.ts';
import { barkResource, barkUrl, dogUrl, unrecordedBark } from '../../../http/representations.ts';
import { barkEndpoint } from '../bark-endpoint.ts';

export const handler = barkEndpoint({
  resource: 'barks',
  check: (request) => checkPreconditions(request, {}),
  responseTo: (outcome, { baseUrl }, dogId) => {
    if (outcome.kind === 'recorded') {
      const { bark } = outcome;
      return {
        status: 201,
        headers: { Location: barkUrl(baseUrl, bark) },
        body: barkResource(bark, baseUrl),
      };
    }
    const body = unrecordedBark(dogId, outcome.timestamp, baseUrl);
    if (outcome.kind === 'sent') return { status: 200, body };
    return { status: 303, headers: { Location: dogUrl(baseUrl, dogId) }, body };
  },
});

export const prepare = preparation((context) => readDog(anyDog, context));
