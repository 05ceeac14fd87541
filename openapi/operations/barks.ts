import { barkCursor } from '../../lambdas/domain/barks/bark.ts';
import { acceptedPage, barks, lastBark, urls } from '../examples.ts';
import { header, headers, revalidated } from '../headers.ts';
import {
  idempotencyKey,
  pageParameters,
  prefer,
  preferWait,
  readPreconditions,
  writePreconditions,
} from '../parameters.ts';
import { fieldErrors, jsonBodyProblems, notFound, overLimit, pageProblems, unknownDog } from '../problems.ts';
import { gatewayDetailsOf, integrationFailure, problem, response } from '../responses.ts';
import { documentOf } from '../schemas.ts';
import type { OperationDescription, RequestBody } from '../types.ts';

const requestBody: RequestBody = {
  description:
    'The message of the bark. A body of `null` is treated like an empty body. If the body is empty, the service ignores the Content-Type.',
  required: false,
  content: {
    'application/json': documentOf('BarkRequest', {
      withMessage: { message: 'The postman is here' },
      withoutMessage: {},
    }),
  },
};

const accepted = response(
  'The service has accepted the bark, and the dog will bark later. The body contains the URL of the bark, as JSON if `Accept` prefers JSON, otherwise as HTML.',
  {
    headers: {
      Location: header('Location', 'The URL of the bark.'),
      'Retry-After': header('Retry-After'),
      'Preference-Applied': header('Preference-Applied'),
      Vary: header('Vary'),
    },
    content: {
      'text/html': {
        schema: { type: 'string' },
        examples: { accepted: { summary: 'Accepted', value: acceptedPage } },
      },
      'application/json': documentOf('AcceptedBark', {
        accepted: { bark: urls.accepted, status: 'pending' },
      }),
    },
  },
);

const preferenceApplied = { 'Preference-Applied': header('Preference-Applied') };

/** For an asynchronous bark that failed or was cancelled during the wait. */
const notPerformed = {
  headers: { ...preferenceApplied, 'Content-Location': header('Content-Location') },
  content: { 'application/json': documentOf('Bark', { failed: barks.failed, cancelled: barks.cancelled }) },
};

const mailFailed = problem(
  502,
  'Amazon SES refused the addresses or the content of the mail, or the dog service failed. If SES refused the mail, the bark is not counted.',
  { 'mail-refused': 'The mail service refused the mail. No mail was sent. Check the email address.' },
  {},
  { integrationFailure },
);

const barkProblems = {
  ...jsonBodyProblems('Accept-Post', {
    others: {
      'invalid-idempotency-key':
        'The Idempotency-Key header must be a single string of 1 to 255 characters in double quotes, such as "8e03978e-40d5-43e8-bc93-6894a57f9324".',
    },
  }),
  404: notFound(),
  409: problem(
    409,
    'The service is still processing the first request with this Idempotency-Key, or every address to which the dog sends mail is suspended. In the first case, wait for the number of seconds in `Retry-After`, then send the request again.',
    {
      'request-in-progress':
        'A request with this Idempotency-Key is in progress. Wait for the number of seconds in Retry-After, then send the request again.',
      'address-suspended':
        'Every recipient of the mail is suspended. No mail was sent. GET the dog to see the reasons.',
    },
    { 'Retry-After': { ...headers['Retry-After'], required: false } },
  ),
  422: problem(
    422,
    'Some fields of the body are invalid, or the Idempotency-Key belongs to another request. `errors` lists the invalid fields.',
    {
      'invalid-body': [
        fieldErrors({ '/message': 'must have 1 to 1000 characters' }),
        fieldErrors({ '/action': 'is not a known field' }),
      ],
      'idempotency-key-reused':
        'This Idempotency-Key was already used for a different request. Send each new request with a new key.',
    },
  ),
  429: overLimit,
  502: mailFailed,
  503: problem(
    503,
    'The service, or a service that it depends on, is overloaded or unreachable.',
    {
      'mail-not-sent': 'The mail service is overloaded. No mail was sent. Send the request again later.',
      'mail-unavailable':
        'The service cannot send mail at the moment. No mail was sent. Send the request again later.',
      'service-unavailable': 'The database is overloaded or unreachable. Send the request again later.',
    },
    { 'Retry-After': header('Retry-After') },
  ),
  504: problem(
    504,
    'The service, or Amazon SES, did not respond in time. The request may have taken effect. If `type` ends with `mail-unknown`, the bark is not counted, and a repeat with the same Idempotency-Key sends no mail and gets this response again.',
    {
      'mail-unknown':
        'The mail may have been sent, but the bark was not counted. A request with a new Idempotency-Key, or without one, can send the mail again.',
    },
    {},
    gatewayDetailsOf(504, 'user'),
  ),
};

const unknownBark = 'There is no bark "s01M7XTJQRGHZ3MM2X05VM3ARQN".';
const barkNotFound = problem(404, 'The dog or the bark does not exist.', {
  'dog-not-found': unknownDog,
  'bark-not-found': unknownBark,
});

export const barkOperations = {
  PostBarks: {
    tag: 'Variant A',
    description:
      "Makes the dog bark. The status of the response is 202 if the dog's `barkHandling` is `async`, or if the request has `Prefer: respond-async`. Otherwise, the status depends on the `barkEffects` of the dog: 201 with `record`, 303 with `count` but not `record`, and 200 with neither. With `Prefer: wait`, the response for an asynchronous bark that is complete in time has the same status as that for a synchronous bark. Two identical requests make the dog bark twice, unless they have the same `Idempotency-Key`.",
    parameters: [prefer, idempotencyKey],
    requestBody,
    responses: {
      200: response(
        'The service has sent the mail, or the request waited for an asynchronous bark that failed or was cancelled.',
        {
          headers: notPerformed.headers,
          content: {
            'application/json': documentOf('SettledBark', {
              mailed: barks.unrecorded,
              failed: barks.failed,
              cancelled: barks.cancelled,
            }),
          },
        },
      ),
      201: response('The service has recorded the bark.', {
        headers: { Location: header('Location', 'The URL of the bark.'), ...preferenceApplied },
        content: { 'application/json': documentOf('Bark', { recorded: barks.recorded }) },
      }),
      202: accepted,
      303: response('The service has counted the bark. `Location` is the URL of the dog.', {
        headers: { Location: header('Location', 'The URL of the dog.'), ...preferenceApplied },
        content: { 'application/json': documentOf('SettledBark', { counted: barks.unrecorded }) },
      }),
      ...barkProblems,
    },
  },
  ListBarks: {
    tag: 'Variant A',
    description:
      "Lists a dog's recorded barks, newest first, page by page. A page can have fewer barks than `limit`, even if it is not the last page. `Link` contains the URL of the next page.",
    parameters: pageParameters({
      pattern: barkCursor,
      example: '01M7XTJQRGHZ3MM2X05VM3ARQN.mB0sU9w1xQyZ3kT7',
    }),
    responses: {
      200: response('A page of barks.', {
        headers: { Link: header('NextPageLink') },
        content: { 'application/json': documentOf('BarkList', { page: { barks: [barks.recorded] } }) },
      }),
      400: problem(400, '`limit` or `after` is invalid.', pageProblems),
      404: notFound(),
    },
  },
  GetBark: {
    tag: 'Variant A',
    description:
      'Returns the status of the bark and its time. With `Prefer: wait`, the service waits until the bark is no longer pending. The URL of an asynchronous bark that is not recorded is valid for seven days.',
    parameters: [preferWait, ...readPreconditions],
    responses: {
      200: response('The bark.', {
        headers: {
          ...preferenceApplied,
          ...revalidated,
          ETag: header('ETag'),
          'Last-Modified': {
            ...headers['Last-Modified'],
            required: false,
            description:
              'The time at which the service accepted the bark. The field is absent if the bark is not pending.',
          },
        },
        content: {
          'application/json': documentOf('Bark', {
            pending: barks.pending,
            recorded: barks.recorded,
            failed: barks.failed,
            cancelled: barks.cancelled,
          }),
        },
      }),
      303: response(
        'The asynchronous bark is complete, and the service has counted it. `Location` is the URL of the dog.',
        {
          headers: { Location: header('Location', 'The URL of the dog.'), ...preferenceApplied },
          content: { 'application/json': documentOf('Bark', { complete: barks.complete }) },
        },
      ),
      404: barkNotFound,
    },
  },
  DeleteBark: {
    tag: 'Variant A',
    description:
      'Cancels an asynchronous bark that the service has not begun to perform. After a 204, the bark has no effect. The service also returns 204 if the bark is already cancelled.',
    parameters: writePreconditions,
    responses: {
      204: response('The bark is cancelled.'),
      404: barkNotFound,
      409: problem(409, 'The bark is in progress, complete or failed. It can no longer be cancelled.', {
        'bark-not-cancellable':
          'Bark "a01M7XTJQRGHZ3MM2X05VM3ARQN" can no longer be cancelled. GET it to read its status.',
      }),
    },
  },
  PostLastBark: {
    tag: 'Variant C',
    description:
      "Makes the dog bark in the same way as a POST to `barks`, and always adds the time of the bark to the dog's `barks.previous`. If you repeat the request with the same `Idempotency-Key`, the dog does not bark again.",
    parameters: [prefer, idempotencyKey],
    requestBody,
    responses: {
      200: response(
        'The request waited for an asynchronous bark that failed or was cancelled.',
        notPerformed,
      ),
      201: response('The dog has barked.', {
        headers: {
          ...preferenceApplied,
          Location: header(
            'Location',
            "The URL of the dog's last bark. It always identifies the latest bark, so the result of a GET changes after each new bark.",
          ),
          Link: header('RecordedBarkLink'),
        },
        content: { 'application/json': documentOf('LastBark', { lastBark }) },
      }),
      202: accepted,
      ...barkProblems,
    },
  },
  GetLastBark: {
    tag: 'Variant C',
    description:
      'Returns the latest bark in `barks.previous`, regardless of the variant that caused it. A bark of variant A that only sends mail is not in this list.',
    responses: {
      200: response('The last bark.', {
        headers: { Link: header('RecordedBarkLink') },
        content: { 'application/json': documentOf('LastBark', { lastBark }) },
      }),
      404: problem(404, 'The dog does not exist, or has no last bark.', {
        'dog-not-found': unknownDog,
        'no-last-bark': 'No bark of dog "rex" has been counted or recorded yet.',
      }),
    },
  },
  DeleteLastBark: {
    tag: 'Variant C',
    description: 'The service accepts the request and changes nothing, because a bark cannot be undone.',
    responses: { 204: response('Nothing has changed.'), 404: notFound() },
  },
} as const satisfies Record<string, OperationDescription>;
