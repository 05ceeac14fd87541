import { barkCursor } from '../../lambdas/domain/barks/bark.ts';
import { acceptedPage, barks, lastBark, urls } from '../examples.ts';
import { header } from '../headers.ts';
import { idempotencyKey, pageParameters, prefer } from '../parameters.ts';
import { fieldErrors, jsonBodyProblems, notFound, pageProblems, unknownDog } from '../problems.ts';
import { integrationFailure, problem, response } from '../responses.ts';
import { documentOf } from '../schemas.ts';
import type { OperationDescription, RequestBody } from '../types.ts';

const requestBody: RequestBody = {
  description:
    'The message of the bark. You may omit the body. The service ignores the Content-Type if the body is empty.',
  required: false,
  content: {
    'application/json': documentOf('NewBark', {
      withMessage: { message: 'The postman is here' },
      withoutMessage: {},
    }),
  },
};

const accepted = response(
  'The service has accepted the bark, and the dog barks later. The body links to the bark. It is JSON if `Accept` prefers JSON, otherwise HTML.',
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

const mailFailed = problem(
  502,
  'The mail service refused the mail, or the service failed. If the mail was refused, the bark is not counted.',
  { 'mail-refused': 'The mail service refused the mail. No mail was sent. Check the e-mail address.' },
  {},
  { integrationFailure },
);

/** The problems of a request to bark. */
const barkProblems = {
  ...jsonBodyProblems('Accept-Post', {
    others: {
      'invalid-idempotency-key':
        'The Idempotency-Key header must be one string of 1 to 255 characters in double quotes, such as "8e03978e-40d5-43e8-bc93-6894a57f9324".',
    },
  }),
  404: notFound(),
  409: problem(
    409,
    'The service is still processing the first request with this Idempotency-Key. Send the request again after the number of seconds in `Retry-After`.',
    {
      'request-in-progress':
        'A request with this Idempotency-Key is in progress. Send the request again after the number of seconds in Retry-After.',
    },
    { 'Retry-After': header('Retry-After') },
  ),
  422: problem(
    422,
    'Fields of the body are invalid, or the Idempotency-Key belongs to another request. `errors` lists the invalid fields.',
    {
      'invalid-body': [
        fieldErrors({ '/message': 'must have 1 to 1000 characters' }),
        fieldErrors({ '/action': 'is not a known field' }),
      ],
      'idempotency-key-reused':
        'This Idempotency-Key was already used for a different request. Send each new request with a new key.',
    },
  ),
  502: mailFailed,
  503: problem(
    503,
    'The service, or a service that it depends on, is overloaded or unreachable.',
    {
      'mail-not-sent': 'The mail service is overloaded. No mail was sent. Send the request again later.',
      'service-unavailable': 'The mail service did not respond. The mail may have been sent.',
    },
    { 'Retry-After': header('Retry-After') },
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
      'The settings of the dog determine the status. If the handling is `async`, or the request has `Prefer: respond-async`, the status is 202. Otherwise it is 201 for a dog with the effect `record`, 303 for a dog with the effect `count`, and 200 for all other dogs. Two identical requests make the dog bark twice, unless they have the same `Idempotency-Key`.',
    parameters: [prefer, idempotencyKey],
    requestBody,
    responses: {
      200: response('The service has sent the mail. The bark has no URL.'),
      201: response('The service has recorded the bark.', {
        headers: { Location: header('Location', 'The URL of the bark.') },
        content: { 'application/json': documentOf('Bark', { recorded: barks.recorded }) },
      }),
      202: accepted,
      303: response('The service has counted the bark. `Location` leads to the dog.', {
        headers: { Location: header('Location', 'The URL of the dog.') },
      }),
      ...barkProblems,
    },
  },
  ListBarks: {
    tag: 'Variant A',
    description:
      'Returns the recorded barks of the dog, newest first. A page can be shorter than `limit`, even if it is not the last. `Link` has the URL of the next page.',
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
      'Returns the time of the bark and its status. The URL of an asynchronous bark that is not recorded is valid for seven days.',
    responses: {
      200: response('The bark.', {
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
        'The asynchronous bark is complete and has changed the dog. `Location` leads to the dog.',
        {
          headers: { Location: header('Location', 'The URL of the dog.') },
          content: { 'application/json': documentOf('Bark', { complete: barks.complete }) },
        },
      ),
      404: barkNotFound,
    },
  },
  DeleteBark: {
    tag: 'Variant A',
    description:
      'Cancels an asynchronous bark that has not begun. After a 204, the bark has no effect. The service also returns 204 if the bark is already cancelled.',
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
      'Makes the dog bark as POST to `barks` does, and always adds the bark to the history of the dog. With an `Idempotency-Key`, the dog barks once, even if you send the request several times.',
    parameters: [prefer, idempotencyKey],
    requestBody,
    responses: {
      201: response('The dog has barked.', {
        headers: {
          Location: header('Location', 'The URL of the last bark of the dog, which the next bark replaces.'),
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
      'Returns the last bark of the dog in any variant. A bark of variant A that only sends mail is not in the history of the dog, so this operation does not return it.',
    responses: {
      200: response('The last bark.', {
        headers: { Link: header('RecordedBarkLink') },
        content: { 'application/json': documentOf('LastBark', { lastBark }) },
      }),
      404: problem(404, 'The dog does not exist, or has not barked yet.', {
        'dog-not-found': unknownDog,
        'no-last-bark': 'Dog "rex" has not barked yet.',
      }),
    },
  },
  DeleteLastBark: {
    tag: 'Variant C',
    description: 'The service accepts the request and ignores it, because a bark cannot be undone.',
    responses: { 204: response('Nothing has changed.'), 404: notFound() },
  },
} as const satisfies Record<string, OperationDescription>;
