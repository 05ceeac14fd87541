export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** The status in response to a PATCH of a dog, if it differs from `status`. */
  readonly patchStatus?: 403;
}

/**
 * Each key is the slug at the end of a problem's `type`. Programs compare slugs, so a slug must never change, and
 * causes that a program handles differently need different slugs. `openapi/problem-descriptions.ts` contains longer
 * texts.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9457#section-4 RFC 9457 section 4}
 */
export const problemTypes = {
  'method-overridden': { status: 400, title: 'The request has an X-HTTP-Method-Override header' },
  'empty-body': { status: 400, patchStatus: 403, title: 'The request body is empty' },
  'invalid-json': { status: 400, patchStatus: 403, title: 'The request body is not valid JSON' },
  'forbidden-key': { status: 400, title: 'The request body has a forbidden key' },
  'invalid-limit': { status: 400, title: 'The query parameter "limit" is invalid' },
  'invalid-cursor': { status: 400, title: 'The query parameter "after" is invalid' },
  'invalid-entity-tag': {
    status: 400,
    patchStatus: 403,
    title: 'The If-Match or If-None-Match header is invalid',
  },
  'invalid-idempotency-key': { status: 400, title: 'The Idempotency-Key header is invalid' },
  'missing-date': { status: 403, title: 'The If-Unmodified-Since header is missing' },
  'invalid-date': { status: 403, title: 'The If-Unmodified-Since header is invalid' },
  'date-in-future': { status: 403, title: 'The date in the If-Unmodified-Since header is in the future' },
  'dog-modified': {
    status: 403,
    title: 'The dog was changed after the date in the If-Unmodified-Since header',
  },
  'path-not-found': { status: 404, title: 'The path does not exist' },
  'dog-not-found': { status: 404, title: 'The dog does not exist' },
  'bark-not-found': { status: 404, title: 'The bark does not exist' },
  'no-last-bark': { status: 404, title: 'The dog has no last bark' },
  'bark-schedule-not-found': { status: 404, title: 'The dog has never had a bark schedule' },
  'mail-subscription-not-found': { status: 404, title: 'The unsubscribe link is no longer valid' },
  'method-not-allowed': { status: 405, title: 'The path does not support this method' },
  'request-in-progress': { status: 409, title: 'A request with the same Idempotency-Key is in progress' },
  'address-suspended': { status: 409, title: 'The address of the mail is suspended' },
  'bark-not-cancellable': { status: 409, title: 'The bark can no longer be cancelled' },
  'precondition-failed': {
    status: 412,
    patchStatus: 403,
    title: 'The resource does not meet the precondition',
  },
  'body-too-large': { status: 413, title: 'The request body is too large' },
  'unsupported-media-type': {
    status: 415,
    patchStatus: 403,
    title: 'The media type of the request body is not supported',
  },
  'invalid-body': { status: 422, patchStatus: 403, title: 'The request body is invalid' },
  'invalid-dog-id': { status: 422, title: 'The ID of the dog is invalid' },
  'idempotency-key-reused': { status: 422, title: 'The Idempotency-Key belongs to another request' },
  'schedule-token-reused': { status: 422, title: 'The token belongs to another bark schedule' },
  'bark-limit-reached': { status: 429, title: 'The limit of barks is reached' },
  'mail-limit-reached': { status: 429, title: 'The limit of mails is reached' },
  'internal-error': { status: 500, title: 'The service failed unexpectedly' },
  'mail-refused': { status: 502, title: 'The mail service refused the mail' },
  'schedule-refused': { status: 502, patchStatus: 403, title: 'EventBridge Scheduler refused the schedule' },
  'mail-not-sent': { status: 503, title: 'The mail was not sent' },
  'mail-unavailable': { status: 503, title: 'The service cannot send mail' },
  'service-unavailable': { status: 503, title: 'The service is temporarily unavailable' },
  'mail-unknown': { status: 504, title: 'The mail may have been sent' },
} as const satisfies Readonly<Record<string, ProblemKind>>;

export type ProblemType = keyof typeof problemTypes;

export function problemKind(type: ProblemType): ProblemKind {
  return problemTypes[type];
}

/** Returns the URI that identifies the problem type. It never changes, and need not lead to a page. */
export function problemUri(type: ProblemType, baseUrl: string): string {
  return `${baseUrl}/docs#problem-${type}`;
}
