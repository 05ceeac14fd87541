import type { Request } from '../requests.ts';

/** Credentials in a snippet. */
export interface SnippetCredentials {
  readonly user: string;
  readonly kind: 'accessToken' | 'password';
  /** The access token or the password. If it is absent, the snippet reads an environment variable. */
  readonly secret?: string;
}

/** A request in the form that the generators need. */
export interface SnippetRequest {
  readonly method: Request['method'];
  /** The URL of the service without a trailing slash. */
  readonly base: string;
  /** The path and the query after the URL of the service. */
  readonly path: string;
  /** The whole URL as a browser sends it: in ASCII, and without spaces. */
  readonly url: string;
  /** All header fields except Authorization. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
  /** The credentials in the Authorization header. `none` if the request does not have this header. */
  readonly credentials: SnippetCredentials | 'none';
}

/** The values in the examples of the documentation that the page replaces with those of the service and of its reader. */
export const placeholders = { url: 'https://dogs.example.com', user: 'jane' } as const;

/** The environment variables with the secrets that a snippet does not contain. */
export const variables = { accessToken: 'ACCESS_TOKEN', password: 'PASSWORD' } as const;
