import { BarkDocument } from '../../../domain/bark-document.ts';
import { bark } from '../../../domain/barking.ts';
import { seconds } from '../../../domain/call.ts';
import { accepted, prefersAsync } from '../../../http/async.ts';
import { endpointWithBody } from '../../../http/endpoint.ts';
import { barkUrl, lastBarkUrl, recordLink } from '../../../http/representations.ts';

export const handler = endpointWithBody(
  { schema: BarkDocument, empty: {}, acceptHeader: 'Accept-Post' },
  async (request) => {
    const { baseUrl, body, now } = request;
    const dogId = request.parameter('dog_id');
    const outcome = await bark(dogId, { ...body, later: prefersAsync(request), noted: true }, request);
    if (outcome.kind === 'accepted') return accepted(request, barkUrl(baseUrl, outcome.bark));
    const record = outcome.kind === 'recorded' ? recordLink(baseUrl, outcome.bark) : {};
    return {
      status: 201,
      headers: { Location: lastBarkUrl(baseUrl, dogId), ...record },
      body: { timestamp: seconds(now) },
    };
  },
);
