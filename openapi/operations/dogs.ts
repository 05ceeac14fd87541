import { dogId } from '../../lambdas/domain/dogs/dog.ts';
import { dogs, later, settings } from '../examples.ts';
import { header, revalidated } from '../headers.ts';
import {
  pageParameters,
  patchDate,
  patchPreconditions,
  readPreconditions,
  writePreconditions,
} from '../parameters.ts';
import {
  emptyBody,
  fieldErrors,
  invalidFields,
  jsonBodyProblems,
  notFound,
  overLimit,
  pageProblems,
  undecodable,
} from '../problems.ts';
import { falsePrecondition, malformedEntityTags, problem, response } from '../responses.ts';
import { documentOf } from '../schemas.ts';
import type { OperationDescription } from '../types.ts';

const validators = { ETag: header('ETag'), 'Last-Modified': header('Last-Modified') };

export const dogOperations = {
  ListDogs: {
    tag: 'Dogs',
    description:
      'Lists the dogs page by page, in no particular order. A page has at most `limit` dogs. `Link` contains the URL of the next page.',
    parameters: [...pageParameters({ pattern: dogId, example: 'rex' }), ...readPreconditions],
    responses: {
      200: response('A page of dogs.', {
        headers: { Link: header('NextPageLink'), ETag: header('WeakETag'), ...revalidated },
        content: { 'application/json': documentOf('DogList', { page: { dogs: [dogs.listed] } }) },
      }),
      400: problem(400, '`limit` or `after` is invalid.', pageProblems),
    },
  },
  GetDog: {
    tag: 'Dogs',
    description:
      'Returns the settings of the dog, its bark count, the times of its latest 100 barks, and its schedule. The field `barks` is absent if the dog has no barks and no schedule. All three variants use this operation.',
    parameters: readPreconditions,
    responses: {
      200: response('The dog.', {
        headers: { ...validators, ...revalidated },
        content: {
          'application/json': documentOf('Dog', { created: dogs.created, scheduled: dogs.scheduled }),
        },
      }),
      404: notFound(),
    },
  },
  PutDog: {
    tag: 'Dogs',
    description:
      'Creates the dog, or replaces its settings, which determine the effects of its barks. A request to bark cannot select other effects. It can only make the bark asynchronous, with `Prefer: respond-async`. You may send back a document that GET returned. The service ignores its read-only fields. PUT does not change the bark count, the barks or the schedule.',
    parameters: writePreconditions,
    requestBody: {
      description: 'The settings of the dog.',
      required: true,
      content: {
        'application/json': documentOf('DogRequest', {
          recordsBarks: settings,
          sendsMailToTheDog: {
            email: 'rex@example.com',
            owner: 'mailto:jane@example.com',
            barkEffects: ['emailDog'],
          },
          sendsMailToTheOwner: { owner: 'mailto:jane@example.com', barkEffects: ['emailOwner', 'count'] },
          counts: { owner: 'mailto:jane@example.com', barkEffects: ['count'] },
          recordsAsynchronously: {
            owner: 'mailto:jane@example.com',
            barkEffects: ['record'],
            barkHandling: 'async',
          },
        }),
      },
    },
    responses: {
      201: response('The service has created the dog.', {
        headers: { Location: header('Location', 'The URL of the dog.'), ...validators },
        content: { 'application/json': documentOf('Dog', { created: dogs.created }) },
      }),
      204: response('The service has replaced the settings of the dog.'),
      ...jsonBodyProblems('Accept', { empty: emptyBody }),
      422: invalidFields(
        {
          '/name': 'is not a known field',
          '/email': 'is required by the emailDog effect',
        },
        {
          'invalid-dog-id':
            '"a b" is not a valid ID for a dog. An ID has 1 to 40 characters: letters, digits, - and _.',
        },
      ),
    },
  },
  PatchDog: {
    tag: 'Variant B',
    description:
      'Sets, changes or ends the dog\'s bark schedule. The request changes nothing else. Fields that the patch omits do not change. `{"barks": null}` ends the schedule. `If-Unmodified-Since`, `If-Match` and the bytes of the body together identify the request. The service applies each request only once, even if you send it several times.',
    parameters: [patchDate, ...patchPreconditions],
    requestBody: {
      description: 'The changes to the schedule.',
      required: true,
      content: Object.fromEntries(
        ['application/json', 'application/merge-patch+json'].map((type) => [
          type,
          documentOf('SchedulePatch', {
            everyTenMinutes: { barks: { next: 0, frequency: 10 } },
            onceLater: { barks: { next: later } },
            endTheSchedule: { barks: null },
          }),
        ]),
      ),
    },
    responses: {
      204: response('The service has already applied this patch, or the patch changes nothing.'),
      205: response('The service has changed the schedule. GET the dog again.'),
      403: problem(
        403,
        'The patch is invalid, a precondition of the request failed, the credentials do not allow the request, or the firewall blocked it. `detail` contains the reason.',
        {
          'missing-date':
            'The If-Unmodified-Since header is missing. Send the Last-Modified of your last GET, for example: Sat, 21 Nov 2026 07:00:00 GMT.',
          'invalid-date':
            'The If-Unmodified-Since header "2026-11-21" is not an HTTP date. Send the Last-Modified of your last GET, for example: Sat, 21 Nov 2026 07:00:00 GMT.',
          'date-in-future':
            "The If-Unmodified-Since date of this request (Sat, 21 Nov 2026 07:06:00 GMT) is more than five minutes ahead of the service's clock (Sat, 21 Nov 2026 07:00:00 GMT). Send the Last-Modified of your last GET.",
          'dog-modified':
            'A client changed the dog at Sat, 21 Nov 2026 07:01:00 GMT. This is later than the If-Unmodified-Since date of this request (Sat, 21 Nov 2026 07:00:00 GMT). GET the dog again. If you still want the change, send the patch with the Last-Modified of that response.',
          'precondition-failed': falsePrecondition,
          'invalid-entity-tag': malformedEntityTags,
          'unsupported-media-type':
            'The request body must be JSON. Send it with Content-Type: application/json or application/merge-patch+json.',
          'empty-body': emptyBody,
          'invalid-json': 'The request body is not valid JSON: unexpected "}" at line 3, column 5.',
          'invalid-body': fieldErrors({
            '/barks/frequency': 'must be a whole number of minutes from 1 to 525600, or 0 to bark once',
          }),
          'schedule-refused':
            'Nothing was changed, because EventBridge Scheduler refused the schedule: Invalid Schedule Expression.',
        },
        { 'Accept-Patch': header('Accept-Patch') },
      ),
      404: notFound(),
      415: problem(415, 'The body does not have the coding in Content-Encoding.', {}, {}, undecodable),
      429: overLimit,
    },
  },
  DeleteDog: {
    tag: 'Dogs',
    description:
      'Deletes a dog, its barks and its schedule. After the response, clients can no longer read them. A new dog with the same ID does not inherit the barks or the schedule.',
    parameters: writePreconditions,
    responses: {
      204: response('The dog is deleted.'),
      404: notFound(),
    },
  },
} as const satisfies Record<string, OperationDescription>;
