import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { region } from '../template/arns.ts';
import type { AwsCall, Emulator } from './emulator.ts';

import type { AwsResponse } from './response.ts';

/**
 * Forwards calls to another implementation of an AWS service. Signs each call with the credentials in this process's
 * environment variables, or with `local` if they are not set, instead of the caller's credentials.
 *
 * @param url the URL of the service
 * @returns an emulator, which rejects if the service cannot be reached
 */
export function forwardSigned(url: string): Emulator {
  const credentials = {
    accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? 'local',
    secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? 'local',
    ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
  };
  return async (call) => {
    const { service, method, headers, body } = call;
    const target = new URL(call.path, url);
    const signer = new SignatureV4({
      service,
      region: process.env.AWS_REGION ?? region,
      credentials,
      sha256: Hash.bind(null, 'sha256'),
    });
    const signed = await signer.sign({
      method,
      protocol: target.protocol,
      hostname: target.hostname,
      path: target.pathname,
      query: Object.fromEntries(target.searchParams),
      headers: { ...pick(headers, requestHeaders), host: target.host },
      body,
    });
    const { host: _, ...rest } = signed.headers;
    return forward(call, target, rest);
  };
}

/** The headers that calls and responses keep. They are those of the AWS protocols, without the signature. */
const requestHeaders = ['content-type', 'x-amz-target'];
const responseHeaders = ['content-type', 'x-amz-crc32', 'x-amzn-requestid', 'x-amzn-errortype'];

const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };

function forward({ method, body }: AwsCall, url: URL, headers: Record<string, string>): Promise<AwsResponse> {
  return new Promise((resolve, reject) => {
    const { request, agent } =
      url.protocol === 'https:'
        ? { request: httpsRequest, agent: agents['https:'] }
        : { request: httpRequest, agent: agents['http:'] };
    request(url, { method, headers: { ...headers, 'Content-Length': body.length }, agent }, (response) => {
      const { statusCode: status = 500 } = response;
      const picked = pick(response.headers as Record<string, string>, responseHeaders);
      buffer(response).then((bytes) => resolve({ status, headers: picked, body: bytes }), reject);
    })
      .once('error', reject)
      .end(body);
  });
}

function pick(headers: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
}
