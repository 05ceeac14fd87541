import { methodsOf } from '../contract/routes.ts';
import { endpoint } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';

/** Formats a list of alternatives. The locale en-GB puts no comma before `or`. */
const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/**
 * Responds with 404 if no route has the path, and with 405 if the path does not support the method. Without this function, API
 * Gateway would generate the same error response in both cases.
 */
export const handler = endpoint(async ({ method, path }) => {
  const methods = methodsOf(path);
  if (methods.length === 0) throw new Problem('path-not-found', `There is no resource at ${path}.`);
  const Allow = methods.join(', ');
  const detail = `${path} does not support ${method}. Use ${alternatives.format(methods)}.`;
  throw new Problem('method-not-allowed', detail, { headers: { Allow } });
});
