import { barkCursor } from '../../lambdas/domain/barks/bark.ts';
import { acceptedPage, barks, lastBark, urls } from '../examples.ts';
import { header, headers, revalidated } from '../headers.ts';
import {
  idempotencyKey,
  pageParameters,
  prefer,
  readPreconditions,
  writePreconditions,
} from '../parameters.ts';
import {
  invalidBody,
  invalidPage,
  malformedBody,
  noDog,
  overLimit,
  unsupportedMediaType,
} from '../problems.ts';
import { gatewayDetailsOf } from '../responses.ts';
import { json } from '../schemas.ts';
import type { OperationDescription, RequestBody, ResponseDescription } from '../types.ts';

const requestBody: RequestBody = {
  description:
    'The message of the bark. A body of `null` is treated like an empty body. If the body is empty, the service ignores the Content-Type.',
  required: false,
  content: json('BarkRequest', { withMessage: { message: 'The postman is here' }, withoutMessage: {} }),
};

const urlOfBark = header('Location', 'The URL of the bark.');
const urlOfDog = header('Location', 'The URL of the dog.');

const accepted: ResponseDescription = {
  description:
    'The service has accepted the bark, and the dog will bark later. The body contains the URL of the bark, as JSON if `Accept` prefers JSON, otherwise as HTML.',
  headers: {
    Location: urlOfBark,
    'Retry-After': header('Retry-After'),
    'Preference-Applied': header('Preference-Applied'),
    Vary: header('Vary'),
  },
  content: {
    'text/html': {
      schema: { type: 'string' },
      examples: { accepted: { summary: 'Accepted', value: acceptedPage } },
    },
    ...json('AcceptedBark', { accepted: { bark: urls.accepted, status: 'pending' } }),
  },
};

const barkProblems: Readonly<Record<number, ResponseDescription>> = {
  400: { ...malformedBody, problems: ['invalid-json', 'forbidden-key', 'invalid-idempotency-key'] },
  404: noDog,
  409: {
    description:
      'The service is still processing the first request with this Idempotency-Key, or every address to which the dog sends mail is suspended. In the first case, wait for the number of seconds in `Retry-After`, then send the request again.',
    headers: { 'Retry-After': { ...headers['Retry-After'], required: false } },
    problems: ['request-in-progress', 'address-suspended'],
  },
  415: unsupportedMediaType('Accept-Post'),
  422: {
    description:
      'Some fields of the body are invalid, or the Idempotency-Key belongs to another request. `errors` lists the invalid fields.',
    problems: [
      invalidBody({ '/message': 'must have 1 to 1000 characters' }),
      invalidBody({ '/action': 'is not a known field' }),
      'idempotency-key-reused',
    ],
  },
  429: overLimit,
  502: {
    description:
      'Amazon SES refused the addresses or the content of the mail, or the dog service failed. If SES refused the mail, the bark is not counted.',
    problems: ['mail-refused'],
    gateway: gatewayDetailsOf(502, 'user'),
  },
  503: {
    description: 'The service, or a service that it depends on, is overloaded or unreachable.',
    headers: { 'Retry-After': header('Retry-After') },
    problems: ['mail-not-sent', 'mail-unavailable', 'service-unavailable'],
  },
  504: {
    description:
      'The service, or Amazon SES, did not respond in time. The request may have taken effect. If `type` ends with `mail-unknown`, the bark is not counted, and a repeat with the same Idempotency-Key sends no mail and gets this response again.',
    problems: ['mail-unknown'],
    gateway: gatewayDetailsOf(504, 'user'),
  },
};

const barkNotFound: ResponseDescription = {
  description: 'The dog or the bark does not exist.',
  problems: ['dog-not-found', 'bark-not-found'],
};

export const barkOperations = {
  PostBarks: {
    tag: 'Variant A',
    description:
      "Makes the dog bark. The status of the response is 202 if the dog's `barkHandling` is `async`, or if the request has `Prefer: respond-async`. Otherwise, the status depends on the `barkEffects` of the dog: 201 with `record`, 303 with `count` but not `record`, and 200 with neither. Two identical requests make the dog bark twice, unless they have the same `Idempotency-Key`.",
    parameters: [prefer, idempotencyKey],
    requestBody,
    responses: {
      200: {
        description: 'The service has sent the mail.',
        content: json('SettledBark', { mailed: barks.unrecorded }),
      },
      201: {
        description: 'The service has recorded the bark.',
        headers: { Location: urlOfBark },
        content: json('Bark', { recorded: barks.recorded }),
      },
      202: accepted,
      303: {
        description: 'The service has counted the bark. `Location` is the URL of the dog.',
        headers: { Location: urlOfDog },
        content: json('SettledBark', { counted: barks.unrecorded }),
      },
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
      200: {
        description: 'A page of barks.',
        headers: { Link: header('NextPageLink') },
        content: json('BarkList', { page: { barks: [barks.recorded] } }),
      },
      400: invalidPage,
      404: noDog,
    },
  },
  GetBark: {
    tag: 'Variant A',
    description:
      'Returns the status of the bark and its time. The URL of an asynchronous bark that is not recorded is valid for seven days.',
    parameters: readPreconditions,
    responses: {
      200: {
        description: 'The bark.',
        headers: {
          ...revalidated,
          ETag: header('ETag'),
          'Last-Modified': {
            ...headers['Last-Modified'],
            required: false,
            description:
              'The time at which the service accepted the bark. The field is absent if the bark is not pending.',
          },
        },
        content: json('Bark', {
          pending: barks.pending,
          recorded: barks.recorded,
          failed: barks.failed,
          cancelled: barks.cancelled,
        }),
      },
      303: {
        description:
          'The asynchronous bark is complete, and the service has counted it. `Location` is the URL of the dog.',
        headers: { Location: urlOfDog },
        content: json('Bark', { complete: barks.complete }),
      },
      404: barkNotFound,
    },
  },
  DeleteBark: {
    tag: 'Variant A',
    description:
      'Cancels an asynchronous bark that the service has not begun to perform. After a 204, the bark has no effect. The service also returns 204 if the bark is already cancelled.',
    parameters: writePreconditions,
    responses: {
      204: { description: 'The bark is cancelled.' },
      404: barkNotFound,
      409: {
        description: 'The bark is in progress, complete or failed. It can no longer be cancelled.',
        problems: ['bark-not-cancellable'],
      },
    },
  },
  PostLastBark: {
    tag: 'Variant C',
    description:
      "Makes the dog bark in the same way as a POST to `barks`, and always adds the time of the bark to the dog's `barks.previous`. If you repeat the request with the same `Idempotency-Key`, the dog does not bark again.",
    parameters: [prefer, idempotencyKey],
    requestBody,
    responses: {
      201: {
        description: 'The dog has barked.',
        headers: {
          Location: header(
            'Location',
            "The URL of the dog's last bark. It always identifies the latest bark, so the result of a GET changes after each new bark.",
          ),
          Link: header('RecordedBarkLink'),
        },
        content: json('LastBark', { lastBark }),
      },
      202: accepted,
      ...barkProblems,
    },
  },
  GetLastBark: {
    tag: 'Variant C',
    description:
      'Returns the latest bark in `barks.previous`, regardless of the variant that caused it. A bark of variant A that only sends mail is not in this list.',
    responses: {
      200: {
        description: 'The last bark.',
        headers: { Link: header('RecordedBarkLink') },
        content: json('LastBark', { lastBark }),
      },
      404: {
        description: 'The dog does not exist, or has no last bark.',
        problems: ['dog-not-found', 'no-last-bark'],
      },
    },
  },
  DeleteLastBark: {
    tag: 'Variant C',
    description: 'The service accepts the request and changes nothing, because a bark cannot be undone.',
    responses: { 204: { description: 'Nothing has changed.' }, 404: noDog },
  },
} as const satisfies Record<string, OperationDescription>;
