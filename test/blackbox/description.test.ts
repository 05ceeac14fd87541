import { pageRoutes } from '../../lambdas/contract/pages.ts';
import type { Document } from '../../openapi/document.ts';
import { testWith } from '../support/capabilities.ts';
import { documentOf } from '../support/client.ts';
import { access, service } from './support.ts';

const withoutCredentials = { Authorization: '' };
const { paths } = documentOf<Document>(await service.get('/openapi.json', withoutCredentials));

/** The operations of the description and HEAD for each GET: the method, the path, and whether the operation is public. */
const operations = Object.entries(paths).flatMap(([path, { parameters: _, ...item }]) =>
  Object.entries(item).flatMap(([method, operation]) => {
    if (!('operationId' in operation)) return [];
    const { operationId: name } = operation;
    const one = { name, method: method.toUpperCase(), path, open: 'security' in operation };
    return method === 'get' ? [one, { ...one, name: `${name}Head`, method: 'HEAD' }] : [one];
  }),
);

const filled = (path: string) =>
  path.replace('{dog_id}', 'no-such-dog').replace('{bark_id}', 's01ARZ3NDEKTSV4RRFFQ69G5FAV');

// The client of the suite checks each response against the description.
describe('The OpenAPI description', () => {
  test.each(operations.filter(({ open }) => !open))(
    'contains the response of $name to a client without credentials',
    async ({ method, path }) => {
      const response = await service.send(method, filled(path), { fields: withoutCredentials });
      expect(response.status).toBe(401);
    },
  );

  test.each(operations.filter(({ open, method, path }) => open && method !== 'POST' && !path.includes('{')))(
    'contains the response of $name, which needs no credentials, with and without a trailing slash',
    async ({ method, path }) => {
      for (const url of [path, `${path.replace(/\/$/, '')}/`])
        expect((await service.send(method, url, { fields: withoutCredentials })).status).toBe(200);
    },
  );

  testWith('compression').each(pageRoutes.map(({ path }) => path))(
    'contains %s, which is compressed for a client that accepts gzip',
    async (path) => {
      const [whole, compressed] = await Promise.all(
        ['identity', 'gzip'].map(async (coding) => {
          const response = await fetch(`${access.base_url}${path}`, {
            headers: { 'Accept-Encoding': coding },
          });
          return { headers: response.headers, text: await response.text() };
        }),
      );
      expect(whole?.headers.get('Content-Encoding')).toBeNull();
      expect(compressed?.headers.get('Content-Encoding')).toBe('gzip');
      expect(compressed?.headers.get('Vary')).toMatch(/\bAccept-Encoding\b/i);
      expect(compressed?.text).toBe(whole?.text);
    },
  );
});
