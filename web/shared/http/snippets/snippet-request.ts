import type { Credentials } from '../../credentials.ts';
import type { Request } from '../requests.ts';

/** Credentials without their secret. A snippet asks for the secret, or defines a variable for it. */
export interface WithheldCredentials {
  readonly user: string;
  readonly withheld: 'accessToken' | 'password';
}

/** A request in the form that the generators need. */
export interface SnippetRequest {
  readonly method: Request['method'];
  /** The URL as a browser sends it: in ASCII, and without spaces. */
  readonly url: string;
  /** All header fields except Authorization. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
  /** The credentials in the Authorization header. `none` if the request does not have this header. */
  readonly credentials: Credentials | WithheldCredentials | 'none';
}

/** The values of the variables for secrets that a snippet does not contain. */
export const placeholders = {
  accessToken: 'put an access token here',
  password: 'put the password here',
} as const;
