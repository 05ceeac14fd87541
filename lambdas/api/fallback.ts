import { methodsOf } from '../contract/routes.ts';
import { endpoint } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';

/** Answers what no route answers: API Gateway alone would call both an unknown path and an unknown method 403. */
export const handler = endpoint(async ({ method, path }) => {
  const methods = methodsOf(path);
  if (methods.length === 0) throw new Problem(404, `There is nothing at ${path}.`);
  const Allow = methods.join(', ');
  throw new Problem(405, `${path} does not answer ${method}; it answers ${Allow}.`, { headers: { Allow } });
});
