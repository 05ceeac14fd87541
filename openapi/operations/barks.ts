import { barkCursor } from '../../lambdas/domain/barks/bark.ts';
import { barks, note, urls } from '../examples.ts';
import { badBody, fieldFault, noDog, notFound } from '../problems.ts';
import { header } from '../headers.ts';
import { idempotencyKey, pageParameters, prefer } from '../parameters.ts';
import { answer, problem } from '../responses.ts';
import { documentOf } from '../schemas.ts';
import type { Described, RequestBody } from '../types.ts';

const requestBody: RequestBody = {
  description: 'An empty body of any type is none.',
  required: false,
  content: {
    'application/json': documentOf('NewBark', {
      message: { message: 'The postman is here' },
      nothing: {},
    }),
  },
};

const accepted = answer(
  'The bark was accepted, and happens later: a short note with a link, as JSON where `Accept` prefers it',
  {
    headers: {
      Location: header('Location', 'URL of the bark'),
      'Retry-After': header('Retry-After'),
      'Preference-Applied': header('Preference-Applied'),
      Vary: header('Vary'),
    },
    content: {
      'text/html': { schema: { type: 'string' }, examples: { note: { value: note } } },
      'application/json': documentOf('AcceptedBark', {
        note: { bark: urls.accepted, status: 'pending' },
      }),
    },
  },
);

const mailFailed = problem(502, 'The mail was refused, and nothing was counted; or the service failed', {
  mailRefused: 'The mail service refused the mail.',
  integrationFailure: 'The service failed. Whether the request took effect is not known.',
});

/** The problems of a request that creates a bark. */
const faults = {
  ...badBody('Accept-Post', {
    others: {
      badKey:
        'Idempotency-Key must be one string of 1 to 255 characters in double quotes, such as "8e03978e-40d5-43e8-bc93-6894a57f9324".',
    },
  }),
  404: notFound(),
  409: problem(
    409,
    'The request was sent before, and is under way: it has an answer a little later',
    { underWay: 'The request of this Idempotency-Key is under way. Send it again a little later.' },
    { 'Retry-After': header('Retry-After') },
  ),
  422: problem(422, 'The body is not as it should be, each fault is named; or the key is another request’s', {
    tooLong: fieldFault({ '/message': 'must have 1 to 1000 characters' }),
    action: fieldFault({ '/action': 'is not a known field' }),
    keyReused: 'This Idempotency-Key was sent with another request. Give each request its own.',
  }),
  502: mailFailed,
};

const noBark = 'There is no bark "s01M7XTJQRGHZ3MM2X05VM3ARQN".';
const noSuchBark = problem(404, 'There is no such dog or bark', { noDog, noBark });

export const barkOperations = {
  PostBarks: {
    description:
      'Variant A. The dog’s own effects choose the answer: `record` is 201, else `count` is 303, else it is 200; a dog whose handling is `async`, and any under `Prefer: respond-async`, answers 202. Two identical requests make two barks, unless they bear one `Idempotency-Key`.',
    parameters: [prefer, idempotencyKey],
    requestBody,
    responses: {
      200: answer('Mail was sent, and nothing is kept'),
      201: answer('The bark is recorded', {
        headers: { Location: header('Location', 'URL of the bark') },
        content: { 'application/json': documentOf('Bark', { recorded: barks.recorded }) },
      }),
      202: accepted,
      303: answer('The dog has changed', { headers: { Location: header('Location', 'URL of the dog') } }),
      ...faults,
    },
  },
  ListBarks: {
    description: 'The barks that were recorded, the newest first. A page may be short; `Link` leads on.',
    parameters: pageParameters(barkCursor),
    responses: {
      200: answer('A page of barks', {
        headers: { Link: header('NextPage') },
        content: { 'application/json': documentOf('BarkList', { page: { barks: [barks.recorded] } }) },
      }),
      400: problem(400, 'There is no such page', {
        limit: 'The parameter limit must be a whole number from 1 to 100.',
        after:
          'This list did not return the value of "after". Use the URL in its Link header with rel="next".',
      }),
      404: notFound(),
    },
  },
  GetBark: {
    description:
      'When it happened; of an asynchronous bark also how far it is. One that records nothing can be looked at for seven days.',
    responses: {
      200: answer('The bark', {
        content: {
          'application/json': documentOf('Bark', {
            pending: barks.pending,
            recorded: barks.recorded,
            failed: barks.failed,
            cancelled: barks.cancelled,
          }),
        },
      }),
      303: answer('The bark is complete and has changed the dog, which is what there is to see', {
        headers: { Location: header('Location', 'URL of the dog') },
        content: { 'application/json': documentOf('Bark', { complete: barks.complete }) },
      }),
      404: noSuchBark,
    },
  },
  DeleteBark: {
    description: 'After a 204 none of its effects happens; cancelled once more, it stays so.',
    responses: {
      204: answer('The bark is cancelled'),
      404: noSuchBark,
      409: problem(409, 'It has happened, or has begun to, and can be cancelled no more', {
        happened: 'The bark "s01M7XTJQRGHZ3MM2X05VM3ARQN" has happened.',
        begun: 'The bark "a01M7XTJQRGHZ3MM2X05VM3ARQN" can be cancelled no more.',
      }),
    },
  },
  PostLastBark: {
    description:
      'Variant C. The dog barks as it does for `barks`, and the bark is always noted. With an `Idempotency-Key` it barks once, however often the request is sent.',
    parameters: [prefer, idempotencyKey],
    requestBody,
    responses: {
      201: answer('The dog has barked', {
        headers: {
          Location: header('Location', 'URL of the last bark, whichever that is'),
          Link: header('Record'),
        },
        content: { 'application/json': documentOf('LastBark', { last: { timestamp: 1795223543 } }) },
      }),
      202: accepted,
      ...faults,
    },
  },
  GetLastBark: {
    description: 'Of whichever variant; a bark of variant A that only sends mail is not noted.',
    responses: {
      200: answer('The last bark', {
        headers: { Link: header('Record') },
        content: { 'application/json': documentOf('LastBark', { last: { timestamp: 1795223543 } }) },
      }),
      404: problem(404, 'There is no such dog, or it has not barked', {
        noDog,
        noBark: 'There is no bark of the dog "rex".',
      }),
    },
  },
  DeleteLastBark: {
    description: 'It is taken, and ignored.',
    responses: { 204: answer('Nothing has changed'), 404: notFound() },
  },
} as const satisfies Record<string, Described>;
