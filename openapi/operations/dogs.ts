import { frequencyRule } from '../../lambdas/contract/bark-schedule.ts';
import { dogId } from '../../lambdas/contract/dog-id.ts';
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
  invalidBody,
  invalidFields,
  invalidPage,
  malformedBody,
  noDog,
  overLimit,
  undecodable,
  unsupportedMediaType,
} from '../problems.ts';
import { eitherOf, refusalsOf } from '../responses.ts';
import { documentOf, json } from '../schemas.ts';
import type { OperationDescription } from '../types.ts';

const owner = 'mailto:jane@example.com';

const validators = { ETag: header('ETag'), 'Last-Modified': header('Last-Modified') };

export const dogOperations = {
  ListDogs: {
    tag: 'Dogs',
    description:
      'Lists the dogs page by page, in no particular order. A page has at most `limit` dogs. `Link` contains the URL of the next page.',
    parameters: [...pageParameters({ pattern: dogId, example: 'rex' }), ...readPreconditions],
    responses: {
      200: {
        description: 'A page of dogs.',
        headers: { Link: header('NextPageLink'), ETag: header('WeakETag'), ...revalidated },
        content: json('DogList', { page: { dogs: [dogs.listed] } }),
      },
      400: invalidPage,
    },
  },
  GetDog: {
    tag: 'Dogs',
    description:
      'Returns the settings of the dog, its bark count, the times of its latest 100 barks, and its schedule. The field `barks` is absent if the dog has no barks and no schedule. All three variants use this operation.',
    parameters: readPreconditions,
    responses: {
      200: {
        description: 'The dog.',
        headers: { ...validators, ...revalidated },
        content: json('Dog', { created: dogs.created, scheduled: dogs.scheduled }),
      },
      404: noDog,
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
      content: json('DogRequest', {
        recordsBarks: settings,
        sendsMailToTheDog: { email: 'rex@example.com', owner, barkEffects: ['emailDog'] },
        sendsMailToTheOwner: { owner, barkEffects: ['emailOwner', 'count'] },
        counts: { owner, barkEffects: ['count'] },
        recordsAsynchronously: { owner, barkEffects: ['record'], barkHandling: 'async' },
      }),
    },
    responses: {
      201: {
        description: 'The service has created the dog.',
        headers: { Location: header('Location', 'The URL of the dog.'), ...validators },
        content: json('Dog', { created: dogs.created }),
      },
      204: { description: 'The service has replaced the settings of the dog.' },
      400: malformedBody,
      415: unsupportedMediaType('Accept'),
      422: {
        description: invalidFields,
        problems: [
          invalidBody({ '/name': 'is not a known field', '/email': 'is required by the emailDog effect' }),
          'invalid-dog-id',
        ],
      },
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
      204: { description: 'The service has already applied this patch, or the patch changes nothing.' },
      205: { description: 'The service has changed the schedule. GET the dog again.' },
      403: {
        description: `${eitherOf([
          'the patch is invalid',
          'a precondition of the request failed',
          ...refusalsOf('user'),
        ])} \`detail\` contains the reason.`,
        headers: { 'Accept-Patch': header('Accept-Patch') },
        problems: [
          'missing-date',
          'invalid-date',
          'date-in-future',
          'dog-modified',
          'precondition-failed',
          'invalid-entity-tag',
          {
            type: 'unsupported-media-type',
            detail:
              'The request body must be JSON. Send it with Content-Type: application/json or application/merge-patch+json.',
          },
          'empty-body',
          'invalid-json',
          invalidBody({
            '/barks/frequency': frequencyRule,
          }),
          'schedule-refused',
        ],
      },
      404: noDog,
      415: {
        description: 'The body does not have the coding in Content-Encoding.',
        gateway: undecodable,
      },
      429: overLimit,
    },
  },
  DeleteDog: {
    tag: 'Dogs',
    description:
      'Deletes a dog, its barks and its schedule. After the response, clients can no longer read them. A new dog with the same ID does not inherit the barks or the schedule.',
    parameters: writePreconditions,
    responses: {
      204: { description: 'The dog is deleted.' },
      404: noDog,
    },
  },
} as const satisfies Record<string, OperationDescription>;
