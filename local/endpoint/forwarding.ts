import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsVariables } from '../platform/aws-configuration.ts';
import { region } from '../template/arns.ts';
import type { Emulator } from './emulator.ts';

/** DynamoDB's headers, except those for the signature. */
const requestHeaders = ['content-type', 'x-amz-target'];
const responseHeaders = ['content-type', 'x-amz-crc32', 'x-amzn-requestid'];

/**
 * Forwards each call to another DynamoDB, signed with the credentials in the given variables (or else `local`). The returned emulator
 * rejects if the service cannot be reached.
 */
export function forwardSigned(url: string, aws: AwsVariables): Emulator {
  const target = new URL(url);
  const { protocol, hostname, pathname: path } = target;
  const signer = new SignatureV4({
    service: 'dynamodb',
    region: aws.AWS_REGION || region,
    credentials: {
      accessKeyId: aws.AWS_ACCESS_KEY_ID || 'local',
      secretAccessKey: aws.AWS_SECRET_ACCESS_KEY || 'local',
      ...(aws.AWS_SESSION_TOKEN && { sessionToken: aws.AWS_SESSION_TOKEN }),
    },
    sha256: Hash.bind(null, 'sha256'),
  });
  return async ({ headers, body }) => {
    const kept = { ...pick(new Headers(headers), requestHeaders), host: target.host };
    const signed = await signer.sign({ method: 'POST', protocol, hostname, path, headers: kept, body });
    const { host: _, ...rest } = signed.headers;
    const response = await fetch(target, {
      method: 'POST',
      // The checksum in `x-amz-crc32` covers the body without a content coding.
      headers: { ...rest, 'accept-encoding': 'identity' },
      body: new Uint8Array(body),
      redirect: 'manual',
    }).catch((error: Error) => {
      throw error.cause ?? error;
    });
    return {
      status: response.status,
      headers: pick(response.headers, responseHeaders),
      body: Buffer.from(await response.arrayBuffer()),
    };
  };
}

function pick(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? '']] : [])),
  );
}
