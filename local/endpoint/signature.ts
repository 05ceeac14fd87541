import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';

export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface SignedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The parts of an `Authorization` header with an AWS Signature Version 4. */
export interface Authorization {
  readonly accessKeyId: string;
  /** `YYYYMMDD`. */
  readonly date: string;
  readonly region: string;
  readonly service: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
}

export function newAccessKey(): AccessKey {
  return {
    accessKeyId: `LOCAL${randomBytes(10).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(32).toString('base64url'),
  };
}

/** Returns undefined if the header contains no AWS Signature Version 4. */
export function parseAuthorization(header = ''): Authorization | undefined {
  const [, accessKeyId = '', date = '', region = '', service = '', names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, *SignedHeaders=([^,]+), *Signature=(\w+)$/.exec(
      header,
    ) ?? [];
  if (names === undefined || signature === undefined) return undefined;
  return { accessKeyId, date, region, service, signedHeaders: names.split(';'), signature };
}

/**
 * Signs the request again, with its body, and compares the signatures. Does not check the signature's age.
 *
 * @see {@link https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html AWS: create a signed request}
 */
export async function isSigned(
  credentials: AccessKey,
  { region, service, signedHeaders, signature }: Authorization,
  { method, path, headers, body }: SignedRequest,
): Promise<boolean> {
  const signer = new SignatureV4({
    service,
    region,
    credentials,
    sha256: Hash.bind(null, 'sha256'),
    applyChecksum: false,
  });
  const [pathname = '', query = ''] = path.split(/\?(.*)/s);
  // Replaces the digest that the client sent, which can belong to another body.
  const actual: Record<string, string> = { ...headers, 'x-amz-content-sha256': hash('sha256', body) };
  const signed = await signer.sign(
    {
      method,
      protocol: 'http:',
      hostname: '',
      path: pathname,
      query: Object.fromEntries(new URLSearchParams(query.replaceAll('+', '%2B'))),
      headers: Object.fromEntries(signedHeaders.map((name) => [name, actual[name] ?? ''])),
      body,
    },
    { signingDate: dateOf(headers['x-amz-date']), signableHeaders: new Set(signedHeaders) },
  );
  const expected = Buffer.from(String(signed.headers.authorization?.split('Signature=').at(-1)));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** @param text an `x-amz-date` header, such as `20261121T120000Z` */
function dateOf(text = ''): Date {
  const date = new Date(text.replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:'));
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}
