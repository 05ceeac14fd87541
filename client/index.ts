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

/** Each method of HTTP as a function: the path, its parameters, the body and the answers are typed. */
export type DogServiceClient = Client<paths>;

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface DogServiceOptions {
  /** The service's URL, with its stage, if there is one in it. */
  readonly baseUrl: string;
  /** Who calls, by a password. */
  readonly credentials?: Credentials;
  /** Who calls, by an access token; or what gives one for each call, and so may renew it in time. */
  readonly token?: string | (() => string | Promise<string>);
  /** Sends requests, instead of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * A client of the dog service.
 *
 *     const client = dogServiceClient({ baseUrl, credentials: { username: 'jane', password } });
 *     const { data, error } = await client.GET('/v1/dogs/{dog_id}', { params: { path: { dog_id: 'rex' } } });
 *
 * `data` is the document of a success, `error` the problem of a failure (RFC 9457), and `response` has status and
 * header fields. It throws only where no answer comes.
 */
export function dogServiceClient({ baseUrl, fetch, ...access }: DogServiceOptions): DogServiceClient {
  const client = createClient<paths>({
    baseUrl,
    // A bark that was accepted is told in hypertext to who does not say so.
    headers: { Accept: 'application/json' },
    ...(fetch && { fetch }),
  });
  client.use(authorization(access));
  return client;
}

/** Says who calls, where the service asks for it. */
function authorization({ credentials, token }: Omit<DogServiceOptions, 'baseUrl' | 'fetch'>): Middleware {
  return {
    async onRequest({ request, schemaPath }) {
      // The token endpoint takes a Basic header for that of a client.
      if (!schemaPath.startsWith('/v1/')) return;
      const bearer = typeof token === 'function' ? await token() : token;
      if (bearer !== undefined) request.headers.set('Authorization', `Bearer ${bearer}`);
      else if (credentials) request.headers.set('Authorization', basic(credentials));
    },
  };
}

/** RFC 7617, in UTF-8. */
function basic({ username, password }: Credentials): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/**
 * The dog that an answer shows, where the answer to a bark was 303: `fetch` has followed it, and what it brought is the
 * dog, not the bark.
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
