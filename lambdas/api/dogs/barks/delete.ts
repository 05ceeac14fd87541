import { cancelBark } from '../../../domain/barks/async/cancel.ts';
import { endpoint } from '../../../http/endpoint.ts';

export const handler = endpoint(async (request) => {
  await cancelBark(request.parameter('dog_id'), request.parameter('bark_id'), request.context);
  return { status: 204 };
});
