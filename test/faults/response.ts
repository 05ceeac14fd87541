import type { APIGatewayProxyResult } from 'aws-lambda';

/** Returns the defects that no response of a route may have, whatever its status. */
export function defectsOf(
  { statusCode, headers = {}, body }: APIGatewayProxyResult,
  { httpMethod }: { readonly httpMethod?: string } = {},
): string[] {
  const defects: string[] = [];
  const demand = (holds: boolean, what: string) => holds || defects.push(what);
  demand(Number.isInteger(statusCode) && statusCode >= 200, `the status ${statusCode}`);
  for (const [name, value] of Object.entries(headers)) {
    demand(/^[A-Za-z-]+$/.test(name), `a header named ${JSON.stringify(name)}`);
    demand(/^[\x20-\x7e\x80-\xff]+$/.test(String(value)), `${name}: ${JSON.stringify(value)}`);
  }
  for (const name of ['Cache-Control', 'X-Content-Type-Options', 'X-Request-Id'])
    demand(typeof headers[name] === 'string', `no ${name}`);
  demand(typeof body === 'string', 'a body that is not a string');
  demand(!hasStackTrace(body), `a stack trace: ${body}`);
  if (httpMethod === 'HEAD' || [204, 205, 304].includes(statusCode)) demand(body === '', `a body: ${body}`);
  else if (statusCode >= 400)
    demand(isFailure(JSON.parse(body), statusCode, headers['Content-Type']), `no failure: ${body}`);
  return defects;
}

export function hasStackTrace(body: string): boolean {
  return /\n\s+at .*:\d+|node:internal|node_modules/.test(body);
}

/** Returns true for a problem (RFC 9457) and for an OAuth error (RFC 6749 section 5.2). */
export function isFailure(
  { status, title, detail, instance, error, error_description }: Readonly<Record<string, unknown>>,
  statusCode: number,
  contentType: unknown,
): boolean {
  if (contentType === 'application/problem+json')
    return status === statusCode && [title, detail].every(isText) && /^#[\w=-]+$/.test(String(instance));
  return (
    contentType === 'application/json' &&
    /^[a-z_]+$/.test(String(error)) &&
    /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/.test(String(error_description))
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
