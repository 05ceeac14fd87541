import { badBody, badContent, noDog, notFound } from '../problems.ts';
import { answer, problem } from '../responses.ts';
import { documentOf } from '../schemas.ts';
import type { Described } from '../types.ts';

const noSchedule = problem(404, 'There is no such dog, or it never had a schedule', {
  noDog,
  noSchedule: 'There is no schedule of the dog "rex".',
});

export const scheduleOperations = {
  PostBarkSchedule: {
    description:
      'Variant C. A token is remembered as long as the dog lives: sent again with the same content it changes nothing. A new schedule replaces the old one, whichever variant set it.',
    requestBody: {
      required: true,
      content: {
        'application/json': documentOf('NewBarkSchedule', {
          everyTenMinutes: { token: 42, next: 0, frequency: 10 },
          once: { token: 43, next: 1795234976 },
        }),
      },
    },
    responses: {
      205: answer('The schedule stands: read it again'),
      ...badBody('Accept-Post', { empty: 'The body is empty; a JSON object is needed.' }),
      404: notFound(),
      422: badContent({
        knownToken: {
          '/token': 'was sent before, with another next or frequency; a new schedule needs a new token',
        },
        wrongField: { '/frequency': 'must be whole minutes from 1 to 525600, or 0 to bark once' },
      }),
      502: problem(
        502,
        'The scheduler refuses the schedule, and nothing has changed; or the service failed',
        {
          scheduleRefused: 'The scheduler refused the schedule: Invalid Schedule Expression.',
          integrationFailure: 'The service failed. Whether the request took effect is not known.',
        },
      ),
    },
  },
  GetBarkSchedule: {
    description: 'From the first bark of a schedule on, `next` is `last` and the frequency.',
    responses: {
      200: answer('The schedule', {
        content: {
          'application/json': documentOf('BarkSchedule', {
            everyTenMinutes: { last: 1795234376, next: 1795234976 },
            toCome: { last: null, next: 1795234976 },
            ended: { last: 1795234376, next: null },
          }),
        },
      }),
      404: noSchedule,
    },
  },
  DeleteBarkSchedule: {
    description: 'No bark is scheduled after that; the last one stays.',
    responses: { 204: answer('The schedule has ended'), 404: noSchedule },
  },
} as const satisfies Record<string, Described>;
