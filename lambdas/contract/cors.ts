/** The header fields of requests that mean something to the service, and that browsers ask for before they send them. */
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
 * What lets pages of an origin read an answer. No answer depends on cookies, nor on whatever else a browser sends by
 * itself, so that `*` gives nothing away.
 *
 * @param origin undefined or empty for none
 */
export function corsHeaders(origin: string | undefined): Record<string, string> {
  return origin ? { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': '*' } : {};
}
