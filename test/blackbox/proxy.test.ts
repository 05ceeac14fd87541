import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findMissing } from '../support/capabilities.ts';
import { Client } from '../support/client.ts';
import { Contract } from '../support/contract.ts';
import { isStrict } from '../support/shared-service.ts';
import { access } from './support.ts';

interface Proxy {
  /** The header fields that the proxy adds to each response. */
  readonly adds?: Readonly<Record<string, string>>;
  /** Changes the path of each request. */
  readonly rewrite?: (path: string) => string;
  /** The header fields that the proxy removes from each request and response. */
  readonly drops?: readonly string[];
}

let server: Server | undefined;
afterEach(() => server?.close());

/** Starts a proxy in front of the service, and returns the access to the service through the proxy. */
async function behind({ adds = {}, rewrite = (path) => path, drops = [] }: Proxy): Promise<typeof access> {
  const { host } = new URL(access.base_url);
  const kept = (headers: object) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !drops.includes(name)));
  server = createServer((received, response) => {
    const { method, url = '', headers } = received;
    const options = { method, path: rewrite(url), headers: { ...kept(headers), host } };
    const sent = httpRequest(access.base_url, options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...kept(answer.headers), ...adds });
      answer.pipe(response);
    });
    received.pipe(sent);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { ...access, base_url: url, auth_url: url };
}

// Only a service that the run has started is known to lack nothing itself.
(isStrict ? describe : describe.skip)('The suite, behind a proxy', () => {
  const adds = { Via: '1.1 edge', Server: 'edge', 'Strict-Transport-Security': 'max-age=63072000' };

  test('that adds header fields, ignores them unless it is strict', async () => {
    const proxied = await behind({ adds });
    const [lenient, strict] = await Promise.all(
      [false, true].map((isStrict) => Contract.of(proxied, { isStrict })),
    );
    const client = new Client(proxied, (response) => lenient?.check(response));
    expect((await client.get('/v1/dogs/')).status).toBe(200);
    expect((await client.get('/v1/dogs/no-such-dog/')).status).toBe(404);
    expect((await client.get('/v1/dogs/', { Authorization: '' })).status).toBe(401);
    const response = await new Client(proxied).get('/v1/dogs/');
    expect(() => strict?.check(response)).toThrow(/the header via is not described/);
  });

  test.each<[string, Proxy, string[]]>([
    ['adds header fields', { adds }, []],
    ['decodes %2F', { rewrite: (path) => path.replace(/%2F/i, '/') }, ['%2F in a path']],
    ['drops %0D%0A', { rewrite: (path) => path.replace(/%0D%0A/i, '') }, ['%0D%0A in a path']],
    ['does not compress', { drops: ['accept-encoding'] }, ['compression']],
    ['drops the request ID', { drops: ['x-request-id'] }, ["the request ID in API Gateway's own responses"]],
  ])('that %s, names what the environment lacks', async (_, proxy, missing) => {
    expect(await findMissing(await behind(proxy), false)).toEqual(missing);
  });

  test('finds nothing missing if it is strict', async () => {
    expect(await findMissing(await behind({ rewrite: (path) => path.replace(/%2F/i, '/') }), true)).toEqual(
      [],
    );
  });
});
