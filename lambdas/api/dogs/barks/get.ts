import type { Bark } from '../../../domain/barks/bark.ts';
import { findDogAndBark } from '../../../domain/barks/barks-table.ts';
import { readBark } from '../../../domain/barks/queries.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { requestTimeoutMs, withTimeout } from '../../../domain/platform/request-context.ts';
import { barkValidators } from '../../../http/conditional.ts';
import { endpoint, type Response } from '../../../http/endpoint.ts';
import { barkResource, dogUrl } from '../../../http/representations.ts';
import { beginWait, readAfterWait } from '../waiting.ts'; // @extension waiting

export const handler = endpoint(async (request) => {
  const { baseUrl, context } = request;
  const wait = beginWait(request); // @extension waiting
  const bark = await withTimeout(context, requestTimeoutMs, (limited) =>
    readBark(request.parameter('dog_id'), request.parameter('bark_id'), limited),
  );
  // @extension waiting {
  if (bark.status === 'pending')
    return readAfterWait(request, wait, bark, (current) => responseTo(current, baseUrl));
  // @extension waiting }
  return responseTo(bark, baseUrl);
});

function responseTo(bark: Bark, baseUrl: string): Response {
  const body = barkResource(bark, baseUrl);
  return bark.seeDog
    ? { status: 303, headers: { Location: dogUrl(baseUrl, bark.dog) }, body }
    : { status: 200, headers: { ...barkValidators(bark, body) }, body };
}

export const prepare = preparation((context) => findDogAndBark(anyDog, undefined, context));
