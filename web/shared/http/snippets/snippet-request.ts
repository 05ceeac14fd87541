import { exampleUrl } from '../../../../openapi/example-url.ts';
import type { Request } from '../requests.ts';

export interface SnippetCredentials {
  readonly user: string;
  readonly kind: 'accessToken' | 'password';
  /** The access token or the password. If it is absent, the snippet reads an environment variable. */
  readonly secret?: string;
}

export interface SnippetRequest {
  readonly method: Request['method'];
  readonly base: string;
  readonly path: string;
  /** The whole URL as a browser sends it: in ASCII, and without spaces. */
  readonly url: string;
  /** All header fields except Authorization. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
  /** `none` if the request has no Authorization header. */
  readonly credentials: SnippetCredentials | 'none';
}

/** The values in the documentation's examples that the page replaces with the service's URL and the user's name. */
export const placeholders = { url: exampleUrl, user: 'jane' } as const;

/** The environment variables from which a snippet reads a secret that it does not contain. */
export const variables = { accessToken: 'ACCESS_TOKEN', password: 'PASSWORD' } as const;
