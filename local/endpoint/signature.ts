import { createHmac, createSecretKey, hash, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

/** The credentials of a caller. */
export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A signed request, as the server received it. */
export interface SignedRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** The header values, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The parts of an `Authorization` header with an AWS Signature Version 4. */
export interface Authorization {
  readonly accessKeyId: string;
  /** The date of the signature: `YYYYMMDD`. */
  readonly date: string;
  readonly region: string;
  readonly service: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
}

/** Returns a new access key. Each caller needs its own. */
export function newAccessKey(): AccessKey {
  return {
    accessKeyId: `LOCAL${randomBytes(10).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(32).toString('base64url'),
  };
}

/** Returns the parts of an `Authorization` header, or undefined if the header has no AWS Signature Version 4. */
export function parseAuthorization(header = ''): Authorization | undefined {
  const [, accessKeyId = '', date = '', region = '', service = '', names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, *SignedHeaders=([^,]+), *Signature=(\w+)$/.exec(
      header,
    ) ?? [];
  if (names === undefined || signature === undefined) return undefined;
  return { accessKeyId, date, region, service, signedHeaders: names.split(';'), signature };
}

/** Verifies the signatures of one caller. */
export class SignatureVerifier {
  private readonly secretAccessKey: string;
  /** The signing keys that have verified a request, by credential scope. */
  private readonly signingKeys = new Map<string, KeyObject>();

  constructor(secretAccessKey: string) {
    this.secretAccessKey = secretAccessKey;
  }

  /**
   * Returns true if the request, with its body, was signed with the secret access key. Does not check the age of the
   * signature.
   *
   * @see {@link https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html AWS: create a signed request}
   */
  isSigned(
    { date, region, service, signedHeaders, signature }: Authorization,
    request: SignedRequest,
  ): boolean {
    const parts = [date, region, service, 'aws4_request'];
    const scope = parts.join('/');
    const signingKey = this.signingKeys.get(scope) ?? signingKeyOf(this.secretAccessKey, parts);
    const stringToSign = [
      'AWS4-HMAC-SHA256',
      request.headers['x-amz-date'],
      scope,
      hash('sha256', canonicalRequest(request, signedHeaders)),
    ].join('\n');
    const expected = hmac(signingKey, stringToSign);
    const given = Buffer.from(signature, 'hex');
    const isValid = given.length === expected.length && timingSafeEqual(given, expected);
    // Only a caller with the secret can add a key, so the map stays small.
    if (isValid) this.signingKeys.set(scope, signingKey);
    return isValid;
  }
}

function signingKeyOf(secretAccessKey: string, scope: readonly string[]): KeyObject {
  return scope.reduce(
    (key, part) => createSecretKey(hmac(key, part)),
    createSecretKey(Buffer.from(`AWS4${secretAccessKey}`)),
  );
}

function canonicalRequest(
  { method, path, headers, body }: SignedRequest,
  signedHeaders: readonly string[],
): string {
  const [pathname = '/', query = ''] = path.split(/\?(.*)/s);
  return [
    method,
    encodeURIComponent(pathname).replaceAll('%2F', '/'),
    canonicalQuery(query),
    ...signedHeaders.map((name) => `${name}:${headers[name]?.trim().replace(/\s+/g, ' ') ?? ''}`),
    '',
    signedHeaders.join(';'),
    hash('sha256', body),
  ].join('\n');
}

function canonicalQuery(query: string): string {
  return [...new URLSearchParams(query.replaceAll('+', '%2B'))]
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([name, value], [otherName, otherValue]) => compare(name, otherName) || compare(value, otherValue))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Percent-encodes all characters except the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The key is a `KeyObject`, because `createHmac` takes ten times as long with a buffer. */
function hmac(key: KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
