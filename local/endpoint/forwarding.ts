import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsVariables } from '../platform/aws-configuration.ts';
import { region } from '../template/arns.ts';
import type { Emulator } from './emulator.ts';

/** The AWS protocols' headers, except those for the signature. */
const requestHeaders = ['content-type', 'x-amz-target'];
const responseHeaders = ['content-type', 'x-amz-crc32', 'x-amzn-requestid', 'x-amzn-errortype'];

/**
 * Forwards each call, signed with the credentials in the given variables (or else `local`) instead of the caller's. The returned
 * emulator rejects if the service cannot be reached.
 */
export function forwardSigned(url: string, aws: AwsVariables): Emulator {
  const credentials = {
    accessKeyId: aws.AWS_ACCESS_KEY_ID || 'local',
    secretAccessKey: aws.AWS_SECRET_ACCESS_KEY || 'local',
    ...(aws.AWS_SESSION_TOKEN && { sessionToken: aws.AWS_SESSION_TOKEN }),
  };
  return async ({ service, method, path, headers, body }) => {
    const target = new URL(path, url);
    const signer = new SignatureV4({
      service,
      region: aws.AWS_REGION || region,
      credentials,
      sha256: Hash.bind(null, 'sha256'),
    });
    const kept = new Headers(headers);
    const signed = await signer.sign({
      method,
      protocol: target.protocol,
      hostname: target.hostname,
      path: target.pathname,
      query: Object.fromEntries(target.searchParams),
      headers: { ...pick(kept, requestHeaders), host: target.host },
      body,
    });
    const { host: _, ...rest } = signed.headers;
    const response = await fetch(target, {
      method,
      // The checksum in `x-amz-crc32` covers the body without a content coding.
      headers: { ...rest, 'accept-encoding': 'identity' },
      body: body.length > 0 ? new Uint8Array(body) : null,
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
