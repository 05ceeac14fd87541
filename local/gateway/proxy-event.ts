import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { account } from '../template/arns.ts';
import type { ApiModel, Match } from './api-model.ts';
import { droppedFromRequests, largestEventBytes, methodOverride, sigV4Authorization } from './constants.ts';
import type { RequestIds } from './request-ids.ts';
import type { Target } from './request-parsing.ts';

interface MatchedRequest {
  readonly api: ApiModel;
  readonly match: Match;
  /** The method in X-HTTP-Method-Override, or else that of the request. */
  readonly httpMethod: string;
  readonly target: Target;
  readonly body: Buffer;
  readonly ids: RequestIds;
  readonly time: number;
}

/**
 * @see {@link https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html#api-gateway-simple-proxy-for-lambda-input-format
 *   Input format of a Lambda function for proxy integration}
 */
export function proxyEventOf(request: IncomingMessage, matched: MatchedRequest): APIGatewayProxyEvent {
  const { match, httpMethod, target, body } = matched;
  const { method, parameters } = match;
  const headers = headersOf(request, matched);
  const query = [...new URLSearchParams(target.search)];
  return {
    resource: method.resource,
    path: target.path,
    httpMethod,
    headers: Object.fromEntries(headers),
    multiValueHeaders: grouped(headers),
    queryStringParameters: query.length > 0 ? Object.fromEntries(query) : null,
    multiValueQueryStringParameters: query.length > 0 ? grouped(query) : null,
    pathParameters: Object.keys(parameters).length > 0 ? { ...parameters } : null,
    stageVariables: null,
    requestContext: requestContextOf(request, matched),
    // Replaces bytes that are not UTF-8 with U+FFFD, as users report of API Gateway. AWS does not document it.
    body: body.length > 0 ? body.toString('utf8') : null,
    isBase64Encoded: false,
  };
}

export function isTooLarge(event: APIGatewayProxyEvent): boolean {
  // An event with a small body needs no exact count: each byte takes at most six bytes in JSON, and the rest of the event is
  // much smaller than the limit.
  if (6 * Buffer.byteLength(event.body ?? '') < largestEventBytes / 2) return false;
  return Buffer.byteLength(JSON.stringify(event)) > largestEventBytes;
}

function requestContextOf(
  request: IncomingMessage,
  { api, match: { method }, httpMethod, target, ids, time }: MatchedRequest,
): APIGatewayProxyEvent['requestContext'] {
  return {
    accountId: account,
    apiId: api.id,
    authorizer: undefined,
    domainName: target.host,
    domainPrefix: target.host.split('.')[0],
    extendedRequestId: ids.extendedRequestId,
    httpMethod,
    identity: {
      accessKey: null,
      accountId: null,
      apiKey: null,
      apiKeyId: null,
      caller: null,
      clientCert: null,
      cognitoAuthenticationProvider: null,
      cognitoAuthenticationType: null,
      cognitoIdentityId: null,
      cognitoIdentityPoolId: null,
      principalOrgId: null,
      sourceIp: request.socket.remoteAddress ?? '',
      user: null,
      userAgent: request.headers['user-agent'] ?? null,
      userArn: null,
    },
    path: target.path,
    protocol: `HTTP/${request.httpVersion}`,
    requestId: ids.requestId,
    requestTime: commonLogTime(new Date(time)),
    requestTimeEpoch: time,
    resourceId: method.resourceId,
    resourcePath: method.resource,
    stage: api.stage,
  };
}

function headersOf(request: IncomingMessage, { target, ids }: MatchedRequest): string[][] {
  const own = [
    ['X-Amzn-Trace-Id', ids.traceId],
    ['X-Forwarded-For', request.socket.remoteAddress ?? ''],
    ['X-Forwarded-Port', String(request.socket.localPort)],
    ['X-Forwarded-Proto', 'http'],
  ];
  // The client cannot choose the fields that API Gateway sets.
  const ownNames = new Set(own.map(([name = '']) => name.toLowerCase()));
  const fromClient = pairsOf(request.rawHeaders)
    .filter(([name = '', value = '']) => !ownNames.has(name.toLowerCase()) && reachesFunction(name, value))
    .map(([name = '', value = '']) => [name, name.toLowerCase() === 'host' ? target.host : value]);
  return [...fromClient, ...own];
}

function reachesFunction(name: string, value: string): boolean {
  const field = name.toLowerCase();
  if (field === methodOverride || (field === 'authorization' && sigV4Authorization.test(value))) return false;
  return !droppedFromRequests.has(field);
}

/** Returns a time such as `21/Nov/2026:12:00:00 +0000`. */
function commonLogTime(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

function pairsOf(rawHeaders: readonly string[]): string[][] {
  return rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? '']] : []));
}

function grouped(pairs: readonly (readonly string[])[]): Record<string, string[]> {
  const groups: Record<string, string[]> = Object.create(null);
  for (const [name = '', value = ''] of pairs) {
    groups[name] ??= [];
    // Appends to the array instead of copying it, because a client can repeat a name thousands of times.
    groups[name].push(value);
  }
  return groups;
}
