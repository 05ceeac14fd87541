import * as v from 'valibot';

/** A credential, in the form in which a secret contains it. Client libraries expect exactly these five members. */
export const Credential = v.strictObject({
  access_token: v.string(),
  token_type: v.literal('Bearer'),
  /** The lifetime of the access token, in seconds from `created`. */
  expires_in: v.pipe(v.number(), v.integer(), v.minValue(0)),
  refresh_token: v.pipe(v.string(), v.nonEmpty()),
  /** When the access token was issued, in Unix seconds. */
  created: v.pipe(v.number(), v.integer()),
});
export type Credential = v.InferOutput<typeof Credential>;

/**
 * The client to which a credential belongs. The client is in a separate secret, because programs that use the credential do not
 * need the client.
 */
export const CredentialClient = v.strictObject({
  /** The URL of the token endpoint, without the path `/oauth2/v4/token`. */
  auth_url: v.pipe(
    v.string('is required'),
    v.url('must be an https URL'),
    v.regex(
      /^(https:|http:\/\/(127\.0\.0\.1|localhost)[:/])/,
      'must be an https URL, or a URL of this machine',
    ),
    v.transform((url) => url.replace(/\/$/, '')),
  ),
  /** The issuer of the ID tokens that the endpoint sends. Necessary only if it differs from `auth_url`. */
  issuer: v.optional(v.string()),
  client_id: v.pipe(v.string('is required'), v.nonEmpty('is required')),
  client_secret: v.pipe(v.string('is required'), v.nonEmpty('is required')),
});
export type CredentialClient = v.InferOutput<typeof CredentialClient>;
