import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { readSubscription } from '../../../domain/suspensions/suspend.ts';
import { endpoint } from '../../../http/endpoint.ts';
import { subscriptionPage } from '../../../http/subscription-page.ts';

/** Changes nothing, because mail scanners follow the links in an email. */
export const handler = endpoint(async (request) => {
  const dogId = request.parameter('dog_id');
  const subscription = await readSubscription(dogId, request.parameter('token'), request.context);
  return subscriptionPage(dogId, subscription);
});

export const prepare = preparation((context) => readSubscription(anyDog, '', context));
