import { dogId } from '../../lambdas/domain/dogs/dog.ts';
import { dogs } from '../examples.ts';
import { cacheControl, header } from '../headers.ts';
import {
  entityTagPreconditions,
  pageParameters,
  patchDate,
  preconditions,
  readPreconditions,
} from '../parameters.ts';
import { fieldErrors, invalidFields, jsonBodyProblems, malformedEntityTags, notFound } from '../problems.ts';
import { problem, response } from '../responses.ts';
import { documentOf } from '../schemas.ts';
import type { OperationDescription } from '../types.ts';

const validators = { ETag: header('ETag'), 'Last-Modified': header('Last-Modified') };

const revalidated = {
  ...validators,
  'Cache-Control': cacheControl(
    '^private, no-cache$',
    'Only the client may store the response. The client asks the service before it uses the response again.',
    'private, no-cache',
  ),
};

const preconditionFailed = problem(412, 'The dog does not meet a precondition of the request.', {
  preconditionFailed:
    'The dog "rex" does not meet the precondition of the request (If-Match, If-None-Match or If-Unmodified-Since). GET the dog again.',
});

const malformedPrecondition = problem(400, 'If-Match or If-None-Match is malformed.', {
  entityTags: malformedEntityTags,
});

export const dogOperations = {
  ListDogs: {
    tag: 'Dogs',
    description:
      'Returns the dogs in the order of their IDs. A page has at most `limit` dogs. `Link` has the URL of the next page.',
    parameters: pageParameters({ pattern: dogId, example: 'rex' }),
    responses: {
      200: response('A page of dogs.', {
        headers: { Link: header('NextPageLink') },
        content: { 'application/json': documentOf('DogList', { page: { dogs: [dogs.listed] } }) },
      }),
      400: problem(400, 'The page does not exist.', {
        invalidLimit: 'The parameter limit must be a whole number from 1 to 100.',
        unknownCursor:
          'This list did not return the value of "after". Use the URL in its Link header with rel="next".',
      }),
    },
  },
  GetDog: {
    tag: 'Dogs',
    description:
      'Returns the settings of the dog, its bark count, its latest 100 barks and its schedule. The field `barks` is absent if the dog has no barks and no schedule. All three variants use this operation.',
    parameters: readPreconditions,
    responses: {
      200: response('The dog.', {
        headers: revalidated,
        content: {
          'application/json': documentOf('Dog', { created: dogs.created, scheduled: dogs.scheduled }),
        },
      }),
      304: response('The client already has the current representation.', { headers: revalidated }),
      400: malformedPrecondition,
      404: notFound(),
      412: problem(412, 'If-Match or If-Unmodified-Since fails.', {
        otherTag: 'The ETag of the dog does not match If-Match. GET the dog without If-Match.',
        changedSince:
          'The dog changed at Sat, 21 Nov 2026 07:01:00 GMT, after If-Unmodified-Since. GET the dog without If-Unmodified-Since.',
      }),
    },
  },
  PutDog: {
    tag: 'Dogs',
    description:
      'Sets what a bark of the dog does. A request to bark cannot change these settings. You may send back a document that GET returned: the service ignores the fields that only it changes. The bark count, the barks and the schedule stay unchanged.',
    parameters: preconditions,
    requestBody: {
      description: 'The settings of the dog.',
      required: true,
      content: {
        'application/json': documentOf('NewDog', {
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
      ...jsonBodyProblems('Accept', {
        empty: 'The body is empty; a JSON object is needed.',
        others: { entityTags: malformedEntityTags },
      }),
      412: preconditionFailed,
      422: invalidFields({
        fields: {
          '/name': 'is not a known field',
          '/email': 'must be given, since the effect emailDog needs it',
        },
      }),
    },
  },
  PatchDog: {
    tag: 'Variant B',
    description:
      'Changes only the bark schedule. Fields that the patch omits stay unchanged, and `{"barks": null}` ends the schedule. `If-Unmodified-Since`, the bytes of the body and `If-Match` identify the request. The service applies the request once, even if you send it several times.',
    parameters: [patchDate, ...entityTagPreconditions],
    requestBody: {
      description: 'The changes of the schedule.',
      required: true,
      content: Object.fromEntries(
        ['application/json', 'application/merge-patch+json'].map((type) => [
          type,
          documentOf('SchedulePatch', {
            everyTenMinutes: { barks: { next: 0, frequency: 10 } },
            onceLater: { barks: { next: 1795234976 } },
            endTheSchedule: { barks: null },
          }),
        ]),
      ),
    },
    responses: {
      204: response('The service applied the patch before, or the patch changes nothing.'),
      205: response('The service has changed the schedule. GET the dog again.'),
      403: problem(
        403,
        'The patch is invalid, or the dog does not meet its preconditions. `detail` has the reason. Or the credentials do not allow the request.',
        {
          missingDate:
            'The If-Unmodified-Since header is missing. Send the Date or the Last-Modified of your last GET, for example: Sat, 21 Nov 2026 07:00:00 GMT.',
          changedSince:
            'A client changed the dog at Sat, 21 Nov 2026 07:01:00 GMT, after the If-Unmodified-Since of this request, Sat, 21 Nov 2026 07:00:00 GMT. GET the dog again. If the patch is still right, send it with the Last-Modified of that response.',
          invalidField: fieldErrors({
            '/barks/frequency': 'must be whole minutes from 1 to 525600, or 0 to bark once',
          }),
        },
        { 'Accept-Patch': header('Accept-Patch') },
      ),
      404: notFound(),
    },
  },
  DeleteDog: {
    tag: 'Dogs',
    description:
      'Deletes the dog, its barks and its schedule. They are gone when the service responds. A new dog with the same ID is another dog.',
    parameters: preconditions,
    responses: {
      204: response('The dog is deleted.'),
      400: malformedPrecondition,
      404: notFound(),
      412: preconditionFailed,
    },
  },
} as const satisfies Record<string, OperationDescription>;
