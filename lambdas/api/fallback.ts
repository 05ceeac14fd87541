import { methodsOf } from '../contract/routes.ts';
import { endpoint } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';

/** The locale en-GB puts no comma before `or`. */
const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Without this function, API Gateway would not distinguish an unknown path from an unsupported method. */
export const handler = endpoint(async ({ method, path }) => {
  const methods = methodsOf(path);
  if (methods.length === 0) throw new Problem('path-not-found', `There is no resource at ${path}.`);
  const Allow = methods.join(', ');
  const detail = `${path} does not support ${method}. Use ${alternatives.format(methods)}.`;
  throw new Problem('method-not-allowed', detail, { headers: { Allow } });
});
