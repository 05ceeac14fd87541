import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { readSubscription, unsubscribe } from '../../../domain/suspensions/suspend.ts';
import { checkPreconditions } from '../../../http/conditional.ts';
import { endpoint } from '../../../http/endpoint.ts';
import { checkOneClick, subscriptionPage } from '../../../http/subscription-page.ts';

export const handler = endpoint(async (request) => {
  checkOneClick(request);
  const dogId = request.parameter('dog_id');
  const token = request.parameter('token');
  const check = () => checkPreconditions(request, {});
  const subscription = await unsubscribe(dogId, token, request.context, check);
  return subscriptionPage(dogId, subscription);
});

export const prepare = preparation((context) => readSubscription(anyDog, '', context));
