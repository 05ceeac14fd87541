import type { Request } from '../../shared/http/requests.ts';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export interface RequestDraft {
  readonly method: Request['method'];
  readonly path: string;
  /** One header field per line, such as `Accept: application/json`. */
  readonly headers: string;
  readonly body: string;
}

export const emptyDraft: RequestDraft = { method: 'GET', path: '/v1/dogs/', headers: '', body: '' };

export function draftOf({ method, path, headers, body = '' }: Request): RequestDraft {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return { method, path, headers: lines.join('\n'), body };
}

type DraftErrors = { readonly [Field in 'body' | 'headers' | 'path']?: string };

export interface ParsedDraft {
  /** Absent if the draft has errors. */
  readonly request?: Request;
  readonly errors: DraftErrors;
  /** A mistake in the body that does not prevent the page from sending the request. */
  readonly warning?: string;
}

/** Returns a draft's request, or the reasons why the page cannot send it. */
export function parsedDraft({ method, path, headers, body }: RequestDraft): ParsedDraft {
  const { fields, error: headersError } = parsedHeaders(headers);
  const pathError = errorOfPath(path);
  const errors = {
    ...(pathError && { path: pathError }),
    ...(headersError && { headers: headersError }),
    ...(method === 'GET' && body && { body: 'A GET has no body. Remove the body, or use another method.' }),
  };
  if (Object.keys(errors).length > 0) return { errors };
  const request = { method, path, headers: fields, ...(body && { body }) };
  const isInvalid = isJson(fields) && body !== '' && !isValidJson(body);
  return { request, errors, ...(isInvalid && { warning: invalidJson }) };
}

const invalidJson = "The body is not valid JSON. You can send it to see the service's response.";

function errorOfPath(path: string): string | undefined {
  if (!path.startsWith('/')) return 'The path must begin with a slash.';
  if (/\s/.test(path)) return 'Encode the space as %20.';
  if (path.includes('#')) return 'Encode the # as %23.';
  return undefined;
}

/**
 * Matches the header fields that fetch ignores.
 *
 * @see {@link https://fetch.spec.whatwg.org/#forbidden-request-header Fetch, forbidden request-header}
 */
const forbidden =
  /^(accept-(charset|encoding)|access-control-request-(headers|method)|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|via|(proxy|sec)-.*)$/i;

function parsedHeaders(text: string): { fields: Record<string, string>; error?: string } {
  const fields: Record<string, string> = {};
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const colon = line.indexOf(':');
    if (colon < 0) return { fields, error: `Line ${index + 1} has no colon. Write "Name: value".` };
    const name = line.slice(0, colon).trimStart();
    const value = line.slice(colon + 1).trim();
    const problem = problemOfField(name, value, fields);
    if (problem) return { fields, error: `Line ${index + 1}: ${problem}` };
    fields[name] = value;
  }
  return { fields };
}

function problemOfField(name: string, value: string, others: Record<string, string>): string | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return `"${name}" is not a valid header field name.`;
  const isRepeated = Object.keys(others).some((other) => other.toLowerCase() === name.toLowerCase());
  if (isRepeated) return `"${name}" appears twice.`;
  if (name.toLowerCase() === 'authorization') return 'the page adds Authorization itself.';
  if (forbidden.test(name)) return `browsers do not allow a page to set ${name}.`;
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    return 'the value contains a character that is not allowed in a header field.';
  return undefined;
}

function isJson(fields: Record<string, string>): boolean {
  return Object.entries(fields).some(
    ([name, value]) => name.toLowerCase() === 'content-type' && /\bjson\b/i.test(value),
  );
}

function isValidJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function hasIdempotencyKey(request: Request | undefined): boolean {
  return Object.keys(request?.headers ?? {}).some((name) => name.toLowerCase() === 'idempotency-key');
}
