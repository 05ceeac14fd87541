import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { Dog, paths } from './schema.ts';

export type {
  AcceptedBark,
  Bark,
  BarkList,
  BarkSchedule,
  Dog,
  DogList,
  LastBark,
  ListedDog,
  NewBark,
  NewBarkSchedule,
  NewDog,
  Problem,
  SchedulePatch,
  Token,
  TokenError,
} from './schema.ts';

/** Has a function for each HTTP method, with types for the path, its parameters, the body and the responses. */
export type DogServiceClient = Client<paths>;

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface DogServiceOptions {
  /** The URL of the service, including the stage if the URL has one. */
  readonly baseUrl: string;
  /** The name and password of a user. */
  readonly credentials?: Credentials;
  /** An access token, or a function that returns the access token for a request, and can renew it in time. */
  readonly token?: string | (() => string | Promise<string>);
  /** Replaces the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * Returns a client of the dog service.
 *
 *     const client = dogServiceClient({ baseUrl, credentials: { username: 'jane', password } });
 *     const { data, error } = await client.GET('/v1/dogs/{dog_id}', { params: { path: { dog_id: 'rex' } } });
 *
 * `data` is the body of a successful response, `error` is the problem of a failure, and `response` has the status and the
 * header fields. The client throws only if there is no response.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9457 RFC 9457}
 */
export function dogServiceClient({ baseUrl, fetch, ...access }: DogServiceOptions): DogServiceClient {
  const client = createClient<paths>({
    baseUrl,
    // Without this header, the body of a 202 is hypertext.
    headers: { Accept: 'application/json' },
    ...(fetch && { fetch }),
  });
  client.use(authorization(access));
  return client;
}

/** Returns the middleware that adds the Authorization header to the routes that need it. */
function authorization({ credentials, token }: Omit<DogServiceOptions, 'baseUrl' | 'fetch'>): Middleware {
  return {
    async onRequest({ request, schemaPath }) {
      // The token endpoint would read the user in a Basic header as a client.
      if (!schemaPath.startsWith('/v1/')) return;
      const bearer = typeof token === 'function' ? await token() : token;
      if (bearer !== undefined) request.headers.set('Authorization', `Bearer ${bearer}`);
      else if (credentials) request.headers.set('Authorization', basic(credentials));
    },
  };
}

/**
 * Returns Basic credentials in UTF-8.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7617#section-2.1 RFC 7617 section 2.1}
 */
function basic({ username, password }: Credentials): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/**
 * Returns the dog if the response to a bark was a 303. `fetch` follows the redirect, so that the body is the dog instead of
 * the bark.
 *
 * @returns undefined if there was no redirect, or if the response is an error
 */
export function dogInsteadOfBark({
  data,
  response,
}: {
  readonly data?: unknown;
  readonly response: Response;
}): Dog | undefined {
  return response.ok && response.redirected ? (data as Dog) : undefined;
}
