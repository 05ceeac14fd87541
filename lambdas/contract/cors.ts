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

/** `*` is safe as the origin, because no response depends on credentials that a browser sends automatically. */
export function corsHeaders(origin: string | undefined): Record<string, string> {
  return origin ? { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': '*' } : {};
}
