import { readSubscription, unsubscribe } from '../../../domain/dogs/suspend.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { endpoint } from '../../../http/endpoint.ts';
import { checkOneClick, subscriptionPage } from '../../../http/subscription-page.ts';

export const handler = endpoint(async (request) => {
  checkOneClick(request);
  const dogId = request.parameter('dog_id');
  const subscription = await unsubscribe(dogId, request.parameter('token'), request.context);
  return subscriptionPage(dogId, subscription);
});

export const prepare = preparation((context) => readSubscription(anyDog, '', context));
