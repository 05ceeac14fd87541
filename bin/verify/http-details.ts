import { gunzipSync, gzipSync } from 'node:zlib';
import type { Reply, Sending } from './api.ts';
import {
  type Check,
  type Deployment,
  documentOf,
  expectEqual,
  expectField,
  expectLocation,
  expectNoBody,
  expectStatus,
  Mismatch,
  Unproven,
} from './check.ts';

/** Statements about HTTP that depend on API Gateway, and that an emulator therefore cannot prove. */
export const httpDetails: readonly Check[] = [
  {
    statement: 'A request without credentials gets 401 with WWW-Authenticate',
    run: (deployment) => expectUnauthorized(deployment, undefined),
  },
  {
    statement: 'A request with a wrong password gets 401 with WWW-Authenticate',
    run: (deployment) => expectUnauthorized(deployment, basic('nobody:wrong')),
  },
  {
    statement: 'A request with two Authorization fields is refused',
    run: async ({ api }) => {
      const wrong = basic('nobody:wrong');
      for (const values of [(own: string) => [own, wrong], (own: string) => [wrong, own]])
        expectStatus(
          await api.send('GET', '/v1/dogs', { headers: { Authorization: values(api.authorization) } }),
          400,
          401,
        );
    },
  },
  {
    statement: 'A path leads to the same dog with and without a slash at its end',
    run: async (deployment) => {
      const path = await deployment.newDog({});
      const [withSlash, without] = [await get(deployment, path), await get(deployment, path.slice(0, -1))];
      expectEqual('The dog without the slash', documentOf(without), documentOf(withSlash));
    },
  },
  {
    statement: 'The path of a new dog is in Location, below the base URL',
    run: async ({ api, newDog }) => {
      // A second PUT would return 204, so the check looks at the Location of a bark as well.
      const path = await newDog({ barkEffects: ['record'], barkHandling: 'sync' });
      const created = await api.send('POST', `${path}barks`);
      expectStatus(created, 201);
      const { id } = documentOf(created);
      expectLocation(api, created, `${path}barks/${id}`);
    },
  },
  {
    statement: 'HEAD returns the header fields of GET without a body',
    run: async (deployment) => {
      const path = await deployment.newDog({});
      const [read, head] = [await get(deployment, path), await deployment.api.send('HEAD', path)];
      expectStatus(head, 200);
      expectNoBody(head);
      for (const name of ['ETag', 'Last-Modified', 'Content-Type', 'Cache-Control'])
        expectField(head, name, expectField(read, name));
    },
  },
  {
    statement: 'GET with a known ETag or date returns 304 without a body',
    run: async (deployment) => {
      const path = await deployment.newDog({});
      const read = await get(deployment, path);
      const tag = expectField(read, 'ETag', /^"[^"]+"$/);
      const date = expectField(read, 'Last-Modified', / GMT$/);
      for (const headers of [{ 'If-None-Match': tag }, { 'If-Modified-Since': date }]) {
        const unchanged = await deployment.api.send('GET', path, { headers });
        expectStatus(unchanged, 304);
        expectNoBody(unchanged);
        expectField(unchanged, 'ETag', tag);
      }
    },
  },
  {
    statement: 'PUT with an outdated ETag in If-Match returns 412',
    run: async (deployment) => {
      const path = await deployment.newDog({});
      const outdated = expectField(await get(deployment, path), 'ETag');
      const put = (headers: Sending['headers']) =>
        deployment.api.send('PUT', path, {
          headers: { 'If-Match': outdated, ...headers },
          body: { barkEffects: ['count'] },
        });
      expectStatus(await put({}), 204);
      expectStatus(await put({}), 412);
    },
  },
  {
    statement: 'A bark that changes the dog returns 303 with the Location of the dog',
    run: async ({ api, newDog }) => {
      const path = await newDog({ barkEffects: ['count'], barkHandling: 'sync' });
      const barked = await api.send('POST', `${path}barks`);
      expectStatus(barked, 303);
      expectLocation(api, barked, path);
    },
  },
  {
    statement: 'A PATCH of the schedule returns 205 without a body',
    run: async (deployment) => {
      const path = await deployment.newDog({});
      const next = (await timeOf(deployment, path)) + 3_600;
      const patched = await patchSchedule(deployment, path, { next });
      expectStatus(patched, 205);
      expectNoBody(patched);
    },
  },
  {
    statement: 'X-HTTP-Method-Override does not turn a GET into a DELETE',
    run: async (deployment) => {
      const path = await deployment.newDog({});
      const headers = { 'X-HTTP-Method-Override': 'DELETE' };
      const reply = await deployment.api.send('GET', path, { headers });
      if (reply.status === 204)
        throw new Unproven(
          'API Gateway obeys the header, and hides it from the functions. Only a web ACL can refuse such a request.',
        );
      expectStatus(reply, 200, 400, 401, 403);
      await get(deployment, path);
    },
  },
  {
    statement: 'API Gateway compresses a large response, and keeps the ETag of a small one',
    run: async (deployment) => {
      const headers = { 'Accept-Encoding': 'gzip' };
      const large = await deployment.api.send('GET', '/openapi.json', { headers });
      expectStatus(large, 200);
      expectField(large, 'Content-Encoding', 'gzip');
      documentOf({ ...large, body: gunzipSync(large.body) });
      const path = await deployment.newDog({});
      const plain = await get(deployment, path);
      expectField(await get(deployment, path, headers), 'ETag', expectField(plain, 'ETag'));
    },
  },
  {
    statement: 'API Gateway decompresses a request body, and refuses an unknown encoding with 415',
    run: async (deployment) => {
      const path = await deployment.newDog({});
      const put = (encoding: string, body: Buffer) =>
        deployment.api.send('PUT', path, {
          headers: { 'Content-Type': 'application/json', 'Content-Encoding': encoding },
          body,
        });
      const settings = Buffer.from(JSON.stringify({ barkEffects: ['count'] }));
      expectStatus(await put('gzip', gzipSync(settings)), 204);
      expectEqual('barkEffects', documentOf(await get(deployment, path)).barkEffects, ['count']);
      expectStatus(await put('unknown', settings), 415);
    },
  },
  {
    statement: 'An unknown path gets 404, and an unsupported method 405 with Allow',
    run: async ({ api }) => {
      const unknown = await api.send('GET', '/v1/verify');
      expectStatus(unknown, 404);
      expectField(unknown, 'Content-Type', /^application\/problem\+json/);
      const unsupported = await api.send('DELETE', '/v1/dogs');
      expectStatus(unsupported, 405);
      expectField(unsupported, 'Allow', 'GET, HEAD');
    },
  },
  {
    statement: 'API Gateway renames no header field but the WWW-Authenticate of a function',
    run: async ({ api }) => {
      await api.send('GET', '/v1/dogs');
      const renamed = [...api.fieldsSeen].filter(
        (name) => name.startsWith('x-amzn-remapped-') && name !== 'x-amzn-remapped-www-authenticate',
      );
      if (renamed.length > 0) throw new Mismatch(`Some responses contain ${renamed.join(', ')}.`);
    },
  },
];

async function expectUnauthorized({ api }: Deployment, authorization: string | undefined): Promise<void> {
  const refused = await api.send('GET', '/v1/dogs', { headers: { Authorization: authorization } });
  expectStatus(refused, 401);
  expectField(refused, 'WWW-Authenticate', /^Basic realm=/);
  expectField(refused, 'Content-Type', /^application\/problem\+json/);
}

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;

export async function get(
  { api }: Deployment,
  path: string,
  headers: Sending['headers'] = {},
): Promise<Reply> {
  const reply = await api.send('GET', path, { headers });
  expectStatus(reply, 200);
  return reply;
}

/** Sends the `Last-Modified` of the dog in `If-Unmodified-Since`. */
export async function patchSchedule(
  deployment: Deployment,
  path: string,
  barks: { readonly next: number; readonly frequency?: number },
  since?: string,
): Promise<Reply> {
  const date = since ?? expectField(await get(deployment, path), 'Last-Modified');
  return deployment.api.send('PATCH', path, { headers: { 'If-Unmodified-Since': date }, body: { barks } });
}

/** The clock of the service, in Unix seconds, because this machine's clock can be wrong. */
export async function timeOf(deployment: Deployment, path: string): Promise<number> {
  return Date.parse(expectField(await get(deployment, path), 'Date')) / 1000;
}
