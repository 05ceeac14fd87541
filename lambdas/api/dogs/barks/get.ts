import { findDogAndBark } from '../../../domain/barks/barks-table.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { readBarkAndWait } from '../../../domain/waiting/read-bark.ts';
import { barkValidators } from '../../../http/conditional.ts';
import { endpoint } from '../../../http/endpoint.ts';
import { preferenceApplied, waitLimits } from '../../../http/prefer.ts';
import { barkResource, dogUrl } from '../../../http/representations.ts';

export const handler = endpoint(async (request) => {
  const { baseUrl } = request;
  const { bark, wasPending } = await readBarkAndWait(
    request.parameter('dog_id'),
    request.parameter('bark_id'),
    waitLimits(request),
    request.context,
  );
  const headers = wasPending ? preferenceApplied(request, 'wait') : {};
  const body = barkResource(bark, baseUrl);
  return bark.seeDog
    ? { status: 303, headers: { ...headers, Location: dogUrl(baseUrl, bark.dog) }, body }
    : { status: 200, headers: { ...headers, ...barkValidators(bark, body) }, body };
});

export const prepare = preparation((context) => findDogAndBark(anyDog, undefined, context));
