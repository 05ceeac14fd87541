import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  Credential,
  CredentialClient,
  CredentialSecrets,
} from '../../lambdas/domain/credentials/credential.ts';
import { at } from './context.ts';
import { clearSecrets, injectFaults, reset, secrets } from './faults.ts';

export const own: CredentialSecrets = { name: 'own', client: 'own-client', credential: 'own-credential' };

/** The client of the credential. Its token endpoint is the server of `useTokenEndpoint`. */
export let client: CredentialClient;

/** The requests that the token endpoint has received in this test. */
export const requests: { url: string | undefined; parameters: Record<string, string> }[] = [];

let issued = 0;
let respond: RequestListener;

export function respondWith(listener: RequestListener): void {
  respond = listener;
}

export function sending(status: number, body: unknown, type = 'application/json'): RequestListener {
  return (_request, response) =>
    response
      .writeHead(status, { 'Content-Type': type })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Responds with the access tokens `token-1`, `token-2` and so on. */
export function issuing(more: object = {}): RequestListener {
  return (request, response) => {
    issued += 1;
    const token = { access_token: `token-${issued}`, token_type: 'Bearer', expires_in: 3599, ...more };
    sending(200, token)(request, response);
  };
}

/** Runs a token endpoint during the tests of a file. Each test starts without secrets, and with an endpoint that issues tokens. */
export function useTokenEndpoint(): void {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const parameters = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
    requests.push({ url: request.url, parameters });
    respond(request, response);
  });

  beforeAll(async () => {
    injectFaults();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    client = { auth_url: `http://127.0.0.1:${port}`, client_id: 'walker', client_secret: 'hush' };
    Object.assign(process.env, {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    });
  });

  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  beforeEach(() => {
    reset();
    clearSecrets();
    requests.length = 0;
    issued = 0;
    respond = issuing();
  });
}

/** Returns a credential with an access token that was issued at `created`, in Unix seconds. */
export function credentialOf(access_token: string, created = at): Credential {
  return { access_token, token_type: 'Bearer', expires_in: 3599, refresh_token: 'refresh-1', created };
}

export function stored(): Credential {
  return JSON.parse(secrets.get(own.credential) ?? '');
}

/** Stores a credential, and returns it. @param left the time until the credential expires, in seconds */
export function storeWithTimeLeft(left: number): Credential {
  const credential = credentialOf('old', at + left - 3599);
  secrets.set(own.client, JSON.stringify(client));
  secrets.set(own.credential, JSON.stringify(credential));
  reset();
  return credential;
}
