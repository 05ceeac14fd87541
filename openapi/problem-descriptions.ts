import { invalidDogId } from '../lambdas/contract/dog-id.ts';
import { type ProblemType, problemKind, problemTypes } from '../lambdas/contract/problem-types.ts';
import type { ProblemDescription } from './types.ts';

interface Texts {
  readonly meaning: string;
  readonly remedy: string;
  /** The `detail` in examples. Absent if each operation has examples of its own. */
  readonly detail?: string;
}

/** The meaning and the remedy of each kind of problem. */
const texts: Readonly<Record<ProblemType, Texts>> = {
  'method-overridden': {
    meaning:
      'API Gateway may replace the method of a request that has the `X-HTTP-Method-Override` header, so the service rejects the request.',
    remedy: 'Send the request without this header and with the method that you intend.',
    detail:
      'The request has an X-HTTP-Method-Override header. Remove the header, and send the request with the intended method.',
  },
  'empty-body': {
    meaning: 'The operation requires a JSON object, and the request has no body.',
    remedy: 'Send a JSON object with the fields that the operation describes.',
    detail: 'The request body is empty. Send a JSON object.',
  },
  'invalid-json': {
    meaning:
      'The service cannot parse the body, or the body is not encoded in UTF-8. `detail` contains the line and the column of the first error.',
    remedy: 'Correct the body at that position, and send it in UTF-8.',
    detail: 'The request body is not valid JSON: unexpected "}" at line 3, column 5.',
  },
  'forbidden-key': {
    meaning:
      'The body has a `__proto__` key, or a `constructor` key whose value has a `prototype` key. The service rejects these keys, because they can change the prototype of an object.',
    remedy: 'Remove the key.',
    detail:
      'The request body has a forbidden key: "__proto__", or a "constructor" that contains "prototype". Remove the key.',
  },
  'invalid-limit': {
    meaning: '`limit` is not a whole number from 1 to 100.',
    remedy: 'Correct `limit`, or omit it to get at most 20 items.',
    detail: 'The query parameter "limit" must be a whole number from 1 to 100.',
  },
  'invalid-cursor': {
    meaning:
      "`after` is not a cursor from the requested list. A cursor from another list, such as another dog's barks, is not valid.",
    remedy: 'Use the URL in the `Link` header of the previous page, or omit `after` to get the first page.',
    detail:
      'The query parameter "after" is not a cursor from this list. Use the URL in the Link header with rel="next".',
  },
  'invalid-entity-tag': {
    meaning:
      'The `If-Match` or `If-None-Match` header is neither `*` nor a list of entity tags in double quotes.',
    remedy: 'Send the `ETag` of your last GET, with its quotes.',
    detail:
      'The If-Match header must be * or a list of entity tags in double quotes. Send the ETag of your last GET.',
  },
  'invalid-idempotency-key': {
    meaning: 'The `Idempotency-Key` header is not a single string of 1 to 255 characters in double quotes.',
    remedy: 'Send a UUID in double quotes.',
    detail:
      'The Idempotency-Key header must be a single string of 1 to 255 characters in double quotes, such as "8e03978e-40d5-43e8-bc93-6894a57f9324".',
  },
  'missing-date': {
    meaning:
      'A PATCH of a dog requires the `If-Unmodified-Since` header, because the service uses it to identify the request.',
    remedy: 'Send the `Last-Modified` of your last GET as `If-Unmodified-Since`.',
    detail:
      'The If-Unmodified-Since header is missing. Send the Last-Modified of your last GET, for example: Sat, 21 Nov 2026 07:00:00 GMT.',
  },
  'invalid-date': {
    meaning: 'The `If-Unmodified-Since` header is not an HTTP date.',
    remedy: 'Send the `Last-Modified` of your last GET as `If-Unmodified-Since`.',
    detail:
      'The If-Unmodified-Since header "2026-11-21" is not an HTTP date. Send the Last-Modified of your last GET, for example: Sat, 21 Nov 2026 07:00:00 GMT.',
  },
  'date-in-future': {
    meaning:
      "The date in the `If-Unmodified-Since` header is more than five minutes ahead of the service's clock, and is not a `Last-Modified` that the service has returned.",
    remedy: 'Correct your clock, or send the `Last-Modified` of your last GET.',
    detail:
      "The If-Unmodified-Since date of this request (Sat, 21 Nov 2026 07:06:00 GMT) is more than five minutes ahead of the service's clock (Sat, 21 Nov 2026 07:00:00 GMT). Send the Last-Modified of your last GET.",
  },
  'dog-modified': {
    meaning:
      'A client changed the dog after the date in the `If-Unmodified-Since` header. The service changed nothing.',
    remedy: 'GET the dog again. If you still want the change, send the patch with the new `Last-Modified`.',
    detail:
      'A client changed the dog at Sat, 21 Nov 2026 07:01:00 GMT. This is later than the If-Unmodified-Since date of this request (Sat, 21 Nov 2026 07:00:00 GMT). GET the dog again. If you still want the change, send the patch with the Last-Modified of that response.',
  },
  'path-not-found': {
    meaning: 'The service has no resource at this path.',
    remedy: 'Check the path against the paths in this document.',
    detail: 'There is no resource at /v1/cats/.',
  },
  'dog-not-found': {
    meaning: 'No dog has the ID in the path. The dog may have been deleted.',
    remedy: 'List the dogs, or create the dog with PUT.',
    detail: 'There is no dog "rex".',
  },
  'bark-not-found': {
    meaning:
      'The dog has no bark with this ID. The URL of an asynchronous bark that is not recorded is valid for seven days.',
    remedy: 'Use the URL in the `Location` header of the response to your request to bark.',
    detail: 'There is no bark "s01M7XTJQRGHZ3MM2X05VM3ARQN".',
  },
  'no-last-bark': {
    meaning:
      'The dog has no barks in `barks.previous`. This list does not contain barks of variant A that only send mail.',
    remedy: 'Make the dog bark first. A bark of variant A also needs the effect `count` or `record`.',
    detail: 'No bark of dog "rex" has been counted or recorded yet.',
  },
  'bark-schedule-not-found': {
    meaning: 'No client has ever set a bark schedule for this dog.',
    remedy: 'Set a schedule first, with a POST to `bark-schedule` or a PATCH of the dog.',
    detail: 'Dog "rex" has never had a bark schedule.',
  },
  'mail-subscription-not-found': {
    meaning:
      'The token in the URL is wrong, the dog does not exist, or the dog no longer has an address to which it sent the mail.',
    remedy:
      'Use the link in the latest email. If the dog has another address now, it no longer sends mail to you.',
    detail: 'The link is no longer valid.',
  },
  'method-not-allowed': {
    meaning: 'The resource exists, but it does not support the method of the request.',
    remedy: 'Use one of the methods in the `Allow` header.',
    detail: '/v1/dogs/rex/ does not support POST. Use DELETE, GET, HEAD, PATCH or PUT.',
  },
  'request-in-progress': {
    meaning:
      'The service may still be processing the first request with this `Idempotency-Key`. The repeat had no effect.',
    remedy:
      'Wait for the number of seconds in `Retry-After`, then send the same request with the same key again.',
    detail:
      'A request with this Idempotency-Key is in progress. Wait for the number of seconds in Retry-After, then send the request again.',
  },
  'address-suspended': {
    meaning:
      "The bark sends mail, but every recipient's address is suspended: it bounced, its owner complained or unsubscribed, or too many of the dog's addresses were already suspended. The service sent no mail and did not count the bark.",
    remedy:
      'GET the dog: `suspended` shows the addresses and the reasons. Set another address, or ask the operator to lift the suspension.',
    detail: 'Every recipient of the mail is suspended. No mail was sent. GET the dog to see the reasons.',
  },
  'bark-not-cancellable': {
    meaning: 'The bark is in progress, complete or failed. The service changed nothing.',
    remedy: 'GET the bark to read its status.',
    detail: 'Bark "a01M7XTJQRGHZ3MM2X05VM3ARQN" can no longer be cancelled. GET it to read its status.',
  },
  'precondition-failed': {
    meaning:
      'The resource does not meet the condition in `If-Match`, `If-None-Match` or `If-Unmodified-Since`. The service changed nothing. A resource without an `ETag`, such as the list of barks, never meets an `If-Match` with an entity tag.',
    remedy:
      'GET the resource without these headers. If you still want the change, send it with the new `ETag` or `Last-Modified`.',
    detail:
      'The resource does not meet the precondition in If-Match, If-None-Match or If-Unmodified-Since. GET it again.',
  },
  'body-too-large': {
    meaning: 'The body is larger than 64 KiB.',
    remedy: 'Send a smaller body.',
    detail: 'The request body is 70000 bytes long. The limit is 65536 bytes.',
  },
  'unsupported-media-type': {
    meaning: 'The `Content-Type` of the request is missing, or the operation does not support it.',
    remedy: 'Send one of the types in the `Accept`, `Accept-Post` or `Accept-Patch` header of the response.',
    detail: 'The request body must be JSON. Send it with Content-Type: application/json.',
  },
  'invalid-body': {
    meaning:
      'The body is valid JSON, but some of its fields are missing, unknown or invalid. `errors` lists them.',
    remedy: 'Correct the fields that `errors` lists.',
  },
  'invalid-dog-id': {
    meaning:
      'The ID in the path has more than 40 characters, or contains characters other than letters, digits, `-` and `_`.',
    remedy: 'Choose another ID.',
    detail: invalidDogId('a b'),
  },
  'idempotency-key-reused': {
    meaning:
      'This `Idempotency-Key` was already used for a request with different content. The service did not perform the new request.',
    remedy: 'Send each new request with a new key. Reuse a key only to repeat the same request.',
    detail:
      'This Idempotency-Key was already used for a different request. Send each new request with a new key.',
  },
  'schedule-token-reused': {
    meaning:
      'This `token` was already used for a bark schedule with a different `next` or `frequency`. The service changed nothing.',
    remedy: 'Send each new schedule with a new token. Reuse a token only to repeat the same request.',
  },
  'bark-limit-reached': {
    meaning:
      'The dog or the user has reached a bark limit for the current window, so the dog did not bark. `RateLimit-Policy` contains the limit. Barks on schedule do not count.',
    remedy: 'Wait for the number of seconds in `Retry-After`, then send the request again.',
    detail:
      'The limit of 100 barks for each dog in 60 minutes is reached. The dog did not bark. Wait for the number of seconds in Retry-After, then send the request again.',
  },
  'mail-limit-reached': {
    meaning:
      'The dog or the user has reached a mail limit for the current window, so the dog did not bark. `RateLimit-Policy` contains the limit. A bark without mail is still possible.',
    remedy: 'Wait for the number of seconds in `Retry-After`, then send the request again.',
    detail:
      'The limit of 60 mails for each dog in 60 minutes is reached. The dog did not bark. Wait for the number of seconds in Retry-After, then send the request again.',
  },
  'internal-error': {
    meaning: 'An unexpected error occurred in the service. The request may have taken effect.',
    remedy:
      'Report the `X-Request-Id` of the response to the operator. With this ID, the operator can find the cause in the logs.',
    detail: 'The service failed unexpectedly. Report the X-Request-Id of this response to the operator.',
  },
  'mail-refused': {
    meaning:
      'Amazon SES refused the addresses or the content of the mail, and the bark is not counted. A retry would have the same result.',
    remedy:
      'Check the email addresses of the dog and its owner. If they are correct, report the `X-Request-Id` to the operator.',
    detail: 'The mail service refused the mail. No mail was sent. Check the email address.',
  },
  'schedule-refused': {
    meaning: 'Amazon EventBridge Scheduler does not accept the schedule. A retry would have the same result.',
    remedy:
      'Read the reason in `detail`. If a quota is exceeded, report this to the operator. Otherwise, correct the schedule.',
    detail:
      'Nothing was changed, because EventBridge Scheduler refused the schedule: Invalid Schedule Expression.',
  },
  'mail-not-sent': {
    meaning:
      'Amazon SES or the database is overloaded or unreachable. The mail was not sent, and the bark is not counted.',
    remedy: 'Wait for the number of seconds in `Retry-After`, then send the request again.',
    detail: 'The mail service is overloaded. No mail was sent. Send the request again later.',
  },
  'mail-unavailable': {
    meaning:
      'Amazon SES accepts no mail from the service, for example because the account is paused or the sender is not verified. The mail was not sent, and the bark is not counted. An alarm has notified the operator.',
    remedy:
      'Send the request again later: the addresses are not the cause. `Retry-After` states the minimum wait.',
    detail: 'The service cannot send mail at the moment. No mail was sent. Send the request again later.',
  },
  'service-unavailable': {
    meaning:
      'The service, or an AWS service that it depends on, is overloaded, unreachable or too slow. The request may have taken effect, unless `detail` states that it has not.',
    remedy:
      'Wait for the number of seconds in `Retry-After`, then send the request again. Include an `Idempotency-Key` in every request that makes a dog bark, so that a repeat does not make the dog bark twice.',
    detail: 'The database is overloaded or unreachable. Send the request again later.',
  },
  'mail-unknown': {
    meaning:
      'The mail may have been sent, but the service has not counted the bark. Amazon SES did not respond, or the service failed before it could count the bark. A repeat with the same `Idempotency-Key` gets this response again and sends no mail.',
    remedy:
      'Do not repeat the request, unless a second email would do no harm. In that case, send it with a new `Idempotency-Key`.',
    detail:
      'The mail may have been sent, but the bark was not counted. A request with a new Idempotency-Key, or without one, can send the mail again.',
  },
};

export function problemDescriptions(): Readonly<Record<string, ProblemDescription>> {
  const types = Object.keys(problemTypes) as ProblemType[];
  const entries = types.map((type) => {
    const { meaning, remedy } = texts[type];
    return [type, { ...problemKind(type), meaning, remedy }];
  });
  return Object.fromEntries(entries);
}

export function detailOf(type: ProblemType): string {
  const { detail } = texts[type];
  if (detail === undefined)
    throw new Error(`The problem ${type} has no detail. Add one, or give an example.`);
  return detail;
}
