import { readBark } from '../../../domain/barks.ts';
import { endpoint } from '../../../http/endpoint.ts';
import { barkResource } from '../../../http/representations.ts';

export const handler = endpoint(async (request) => {
  const bark = await readBark(request.parameter('dog_id'), request.parameter('bark_id'), request);
  return { status: 200, body: barkResource(bark, request.baseUrl) };
});
