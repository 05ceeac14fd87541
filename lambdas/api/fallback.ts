import { methodsOf } from '../contract/routes.ts';
import { endpoint } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';

/** Formats a list of alternatives. The locale en-GB puts no comma before the last one. */
const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Responds with 404 or 405 to requests that no route accepts. API Gateway itself would respond with 403 in both cases. */
export const handler = endpoint(async ({ method, path }) => {
  const methods = methodsOf(path);
  if (methods.length === 0) throw new Problem('path-not-found', `There is no resource at ${path}.`);
  const Allow = methods.join(', ');
  const detail = `${path} does not support ${method}. Use ${alternatives.format(methods)}.`;
  throw new Problem('method-not-allowed', detail, { headers: { Allow } });
});
