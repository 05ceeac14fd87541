import { methodsOf } from '../contract/routes.ts';
import { endpoint } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';

/** British English, because it has no comma before the last alternative. */
const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Responds 404 or 405 to requests that no route accepts. API Gateway itself would respond 403 to both. */
export const handler = endpoint(async ({ method, path }) => {
  const methods = methodsOf(path);
  if (methods.length === 0) throw new Problem('path-not-found', `There is no resource at ${path}.`);
  const Allow = methods.join(', ');
  const detail = `${path} does not support ${method}. Use ${alternatives.format(methods)}.`;
  throw new Problem('method-not-allowed', detail, { headers: { Allow } });
});
