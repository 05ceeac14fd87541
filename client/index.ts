import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { BarkRequest, BarkScheduleRequest, Dog, DogRequest, paths } from './schema.ts';

export type {
  AcceptedBark,
  Bark,
  BarkList,
  BarkRequest,
  BarkSchedule,
  BarkScheduleRequest,
  Dog,
  DogList,
  DogRequest,
  LastBark,
  ListedDog,
  Problem,
  SchedulePatch,
  SettledBark,
  Token,
  TokenError,
} from './schema.ts';

/** @deprecated Use `BarkRequest`. Version 2.0 will remove this name. */
export type NewBark = BarkRequest;

/** @deprecated Use `BarkScheduleRequest`. Version 2.0 will remove this name. */
export type NewBarkSchedule = BarkScheduleRequest;

/** @deprecated Use `DogRequest`. Version 2.0 will remove this name. */
export type NewDog = DogRequest;

/**
 * A typed client, with a function for each HTTP method. Paths, parameters, bodies and responses are typed. There are no types
 * for HEAD, so use `fetch` to send a HEAD request.
 */
export type DogServiceClient = Client<paths>;

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface DogServiceOptions {
  /** The URL of the service, including the stage if it has one. */
  readonly baseUrl: string;
  /** The name and the password of the user. */
  readonly credentials?: Credentials;
  /** An access token, or a function that returns one. The client calls the function before each request. */
  readonly token?: string | (() => string | Promise<string>);
  /** Replaces the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * Returns a client for the dog service.
 *
 *     const client = dogServiceClient({ baseUrl, credentials: { username: 'jane', password } });
 *     const { data, error } = await client.GET('/v1/dogs/{dog_id}', { params: { path: { dog_id: 'rex' } } });
 *
 * `data` is the body of a successful response. `error` is the body of any other response, a problem document (RFC 9457).
 * `response` contains the status and the header fields. A call throws only if it receives no response.
 */
export function dogServiceClient({ baseUrl, fetch, ...access }: DogServiceOptions): DogServiceClient {
  const client = createClient<paths>({
    baseUrl,
    // Without this header, the response to an asynchronous bark is HTML.
    headers: { Accept: 'application/json' },
    ...(fetch && { fetch }),
  });
  client.use(authorization(access));
  return client;
}

/** Returns a middleware that adds `Authorization` to the requests that need credentials. */
function authorization({ credentials, token }: Omit<DogServiceOptions, 'baseUrl' | 'fetch'>): Middleware {
  return {
    async onRequest({ request, schemaPath }) {
      // The token endpoint reads a Basic header as the credentials of a client.
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
 * @see {@link https://www.rfc-editor.org/rfc/rfc7617 RFC 7617}
 */
function basic({ username, password }: Credentials): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/**
 * Returns the dog if the service responded to a bark with 303, and undefined otherwise. `fetch` follows the redirect, so the
 * data is then the dog instead of the bark.
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
