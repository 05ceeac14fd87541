import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { readSubscription, resubscribe, unsubscribe } from '../../../domain/suspensions/suspend.ts';
import { checkPreconditions } from '../../../http/conditional.ts';
import { endpoint } from '../../../http/endpoint.ts';
import { subscriptionPage, unsubscribes } from '../../../http/subscription-page.ts';

export const handler = endpoint(async (request) => {
  const ends = unsubscribes(request);
  const dogId = request.parameter('dog_id');
  const token = request.parameter('token');
  const check = () => checkPreconditions(request, {});
  const change = ends ? unsubscribe : resubscribe;
  return subscriptionPage(dogId, await change(dogId, token, request.context, check), !ends);
});

export const prepare = preparation((context) => readSubscription(anyDog, '', context));
