import type { Properties } from '../template/resource.ts';
import { check } from './errors.ts';
import { generateSecretString } from './secret-string.ts';

/** The body of a request before its validation. */
export interface SecretRequest {
  readonly SecretId?: string;
  readonly Name?: string;
  readonly Description?: string;
  readonly ClientRequestToken?: string;
  readonly SecretString?: string;
  /** Base64. */
  readonly SecretBinary?: string;
  readonly VersionId?: string;
  readonly VersionStage?: string;
  readonly VersionStages?: readonly string[];
}

const maximumSecretBytes = 65_536;

/** @throws SecretsManagerError ValidationException if the name of a secret is invalid */
export function checkName(name: string): void {
  check(
    /^[\w/+=.@!-]{1,512}$/.test(name),
    'ValidationException',
    'Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!',
  );
}

/**
 * Returns the client request token, which becomes the ID of the new version.
 *
 * @throws SecretsManagerError InvalidRequestException if the request has no token
 * @throws SecretsManagerError InvalidParameterException if the token is too short or too long
 */
export function tokenOf({ ClientRequestToken }: SecretRequest): string {
  check(
    ClientRequestToken,
    'InvalidRequestException',
    'You must provide a ClientRequestToken value. We recommend a UUID-type value.',
  );
  check(
    ClientRequestToken.length >= 32 && ClientRequestToken.length <= 64,
    'InvalidParameterException',
    'ClientRequestToken must be 32-64 characters long.',
  );
  return ClientRequestToken;
}

/**
 * Returns the secret value of a request, as JSON with a SecretString or a SecretBinary, or undefined if the request has
 * no value.
 *
 * @throws SecretsManagerError InvalidParameterException if the request has both a SecretString and a SecretBinary
 * @throws SecretsManagerError ValidationException if the value is too large
 */
export function contentOf({ SecretString, SecretBinary }: SecretRequest): string | undefined {
  check(
    !SecretString || !SecretBinary,
    'InvalidParameterException',
    "You can't specify both a binary secret value and a string secret value in the same secret.",
  );
  if (SecretString) {
    checkSize('secretString', Buffer.byteLength(SecretString));
    return JSON.stringify({ SecretString });
  }
  if (SecretBinary) {
    checkSize('secretBinary', Buffer.byteLength(SecretBinary, 'base64'));
    return JSON.stringify({ SecretBinary });
  }
  return undefined;
}

/**
 * Returns the initial value of a secret in the template, as JSON with a SecretString, or undefined if the template sets
 * no value.
 *
 * @throws Error if the template has both a SecretString and a GenerateSecretString
 * @throws Error if the GenerateSecretString is invalid or not supported
 * @throws SecretsManagerError ValidationException if the value is too large
 */
export function initialContentOf({ SecretString, GenerateSecretString }: Properties): string | undefined {
  if (GenerateSecretString === undefined) return contentOf({ SecretString });
  if (SecretString !== undefined)
    throw new Error('A secret cannot have both a SecretString and a GenerateSecretString.');
  return contentOf({ SecretString: generateSecretString(GenerateSecretString) });
}

function checkSize(member: string, bytes: number): void {
  check(
    bytes <= maximumSecretBytes,
    'ValidationException',
    `1 validation error detected: Value at '${member}' failed to satisfy constraint: Member must have length less than or equal to ${maximumSecretBytes}`,
  );
}
