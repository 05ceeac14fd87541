import type { DogServiceClient } from '../../client/index.ts';
import { maxWaitSeconds } from '../../lambdas/contract/waiting.ts';

type Middleware = Parameters<DogServiceClient['use']>[0];

/** Lets the service wait for the bark that a request reads. */
export const longestWait: Middleware = {
  onRequest({ request }) {
    request.headers.set('Prefer', `wait=${maxWaitSeconds}`);
  },
};
