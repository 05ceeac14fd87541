/** The request headers that pages from another origin may send. The response to a preflight request lists them. */
export const preflightHeaders = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Unmodified-Since',
  'Prefer',
];

/**
 * Returns the headers that allow pages from an origin to read a response. `*` is safe as the origin, because no response depends
 * on cookies or on other credentials that a browser sends automatically.
 *
 * @param origin the allowed origin; undefined or empty for none
 */
export function corsHeaders(origin: string | undefined): Record<string, string> {
  return origin ? { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': '*' } : {};
}
