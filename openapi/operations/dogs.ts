import { dogId } from '../../lambdas/domain/dogs/dog.ts';
import { dogs } from '../examples.ts';
import { badBody, badContent, badTag, fieldFault, notFound } from '../problems.ts';
import { cacheControl, header } from '../headers.ts';
import {
  dateOfPatch,
  entityTagPreconditions,
  pageParameters,
  preconditions,
  readPreconditions,
} from '../parameters.ts';
import { answer, problem } from '../responses.ts';
import { documentOf } from '../schemas.ts';
import type { Described } from '../types.ts';

const validators = { ETag: header('ETag'), 'Last-Modified': header('Last-Modified') };

const revalidated = {
  ...validators,
  'Cache-Control': cacheControl('^private, no-cache$', 'To be kept by the client alone, and to be checked'),
};

const otherState = problem(412, 'The dog is not in the state that was demanded', {
  otherState:
    'The dog "rex" does not meet the precondition of the request (If-Match, If-None-Match or If-Unmodified-Since). GET the dog again.',
});

export const dogOperations = {
  ListDogs: {
    description:
      'The dogs in the order of their ids. A page is at most as long as asked for; `Link` leads on.',
    parameters: pageParameters(dogId),
    responses: {
      200: answer('A page of dogs', {
        headers: { Link: header('NextPage') },
        content: { 'application/json': documentOf('DogList', { page: { dogs: [dogs.listed] } }) },
      }),
      400: problem(400, 'There is no such page', {
        limit: 'The parameter limit must be a whole number from 1 to 100.',
        after:
          'This list did not return the value of "after". Use the URL in its Link header with rel="next".',
      }),
    },
  },
  GetDog: {
    description:
      'What the dog is, how often it barked, its latest 100 barks, and when it barks next. `barks` is absent until there is something to say.',
    parameters: readPreconditions,
    responses: {
      200: answer('The dog', {
        headers: revalidated,
        content: {
          'application/json': documentOf('Dog', { fresh: dogs.fresh, scheduled: dogs.scheduled }),
        },
      }),
      304: answer('The client has it already', { headers: revalidated }),
      400: problem(400, 'If-Match or If-None-Match is not well formed', { precondition: badTag }),
      404: notFound(),
      412: problem(412, 'If-Match or If-Unmodified-Since fails', {
        otherTag: 'The ETag of the dog does not match If-Match. GET the dog without If-Match.',
        changedSince:
          'The dog changed at Sat, 21 Nov 2026 07:01:00 GMT, after If-Unmodified-Since. GET the dog without If-Unmodified-Since.',
      }),
    },
  },
  PutDog: {
    description:
      'What a bark does is the dog’s own state: it is set here, and nothing of a request to bark chooses it. What GET showed may be sent back. Count, barks and schedule stay as they are.',
    parameters: preconditions,
    requestBody: {
      required: true,
      content: {
        'application/json': documentOf('NewDog', {
          mails: { email: 'rex@example.com', barkEffects: ['emailDog'] },
          counts: { barkEffects: ['count'] },
          records: { barkEffects: ['record'], barkHandling: 'async' },
        }),
      },
    },
    responses: {
      201: answer('The dog was created', {
        headers: { Location: header('Location', 'URL of the dog'), ...validators },
        content: { 'application/json': documentOf('Dog', { fresh: dogs.fresh }) },
      }),
      204: answer('The dog was replaced'),
      ...badBody('Accept', {
        empty: 'The body is empty; a JSON object is needed.',
        others: { precondition: badTag },
      }),
      412: otherState,
      422: badContent({
        fields: {
          '/name': 'is not a known field',
          '/email': 'must be given, since the effect emailDog needs it',
        },
      }),
    },
  },
  PatchDog: {
    description:
      'Variant B. The patch speaks of the schedule alone: what it does not name stays as it is, and `{"barks": null}` ends it. The date, the bytes of the body and If-Match identify a request. The service applies it once, however often you send it.',
    parameters: [dateOfPatch, ...entityTagPreconditions],
    requestBody: {
      required: true,
      content: Object.fromEntries(
        ['application/json', 'application/merge-patch+json'].map((type) => [
          type,
          documentOf('SchedulePatch', {
            everyTenMinutes: { barks: { next: 0, frequency: 10 } },
            later: { barks: { next: 1795234976 } },
            end: { barks: null },
          }),
        ]),
      ),
    },
    responses: {
      204: answer('It was applied before, or changes nothing'),
      205: answer('The dog has another schedule now: read it again'),
      403: problem(
        403,
        'The patch failed, for the reason that is told; or the credentials do not allow it',
        {
          noDate:
            'The If-Unmodified-Since header is missing. Send the Date or the Last-Modified of your last GET, for example: Sat, 21 Nov 2026 07:00:00 GMT.',
          changedSince:
            'A client changed the dog at Sat, 21 Nov 2026 07:01:00 GMT, after the If-Unmodified-Since of this request, Sat, 21 Nov 2026 07:00:00 GMT. GET the dog again. If the patch is still right, send it with the Last-Modified of that response.',
          wrongField: fieldFault({
            '/barks/frequency': 'must be whole minutes from 1 to 525600, or 0 to bark once',
          }),
        },
        { 'Accept-Patch': header('Accept-Patch') },
      ),
      404: notFound(),
    },
  },
  DeleteDog: {
    description: 'The dog, its barks and its schedule are gone at once: a new dog of the same id is another.',
    parameters: preconditions,
    responses: {
      204: answer('The dog is gone'),
      400: problem(400, 'If-Match or If-None-Match is not well formed', { precondition: badTag }),
      404: notFound(),
      412: otherState,
    },
  },
} as const satisfies Record<string, Described>;
