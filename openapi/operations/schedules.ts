import { frequencyRule } from '../../lambdas/contract/bark-schedule.ts';
import { later } from '../examples.ts';
import { header, revalidated } from '../headers.ts';
import { readPreconditions, writePreconditions } from '../parameters.ts';
import {
  invalidBody,
  invalidFields,
  malformedBody,
  noDog,
  overLimit,
  unsupportedMediaType,
} from '../problems.ts';
import { gatewayDetailsOf } from '../responses.ts';
import { json } from '../schemas.ts';
import type { OperationDescription, ResponseDescription } from '../types.ts';

const scheduleNotFound: ResponseDescription = {
  description: 'The dog does not exist, or has never had a schedule.',
  problems: ['dog-not-found', 'bark-schedule-not-found'],
};

export const scheduleOperations = {
  PostBarkSchedule: {
    tag: 'Variant C',
    description:
      "Sets the dog's bark schedule. The `token` identifies the request until the dog is deleted: a repeated request with the same token and content changes nothing. A new schedule replaces the old one, regardless of which variants set them.",
    parameters: writePreconditions,
    requestBody: {
      description: 'The schedule and its token.',
      required: true,
      content: json('BarkScheduleRequest', {
        everyTenMinutes: { token: 42, next: 0, frequency: 10 },
        onceLater: { token: 43, next: later },
      }),
    },
    responses: {
      205: {
        description:
          'The service has set the schedule, or had already set it in response to the same request. GET the schedule again.',
      },
      400: malformedBody,
      404: noDog,
      415: unsupportedMediaType('Accept-Post'),
      422: {
        description: invalidFields,
        problems: [
          invalidBody({
            '/frequency': frequencyRule,
          }),
          {
            ...invalidBody({
              '/token':
                'was already used with a different next or frequency; use a new token for a new schedule',
            }),
            type: 'schedule-token-reused',
          },
        ],
      },
      429: overLimit,
      502: {
        description:
          'EventBridge Scheduler refused the schedule, or the service failed. If the schedule was refused, nothing has changed.',
        problems: ['schedule-refused'],
        gateway: gatewayDetailsOf(502, 'user'),
      },
    },
  },
  GetBarkSchedule: {
    tag: 'Variant C',
    description:
      "Returns the times of a dog's last and next scheduled barks, regardless of the variant that set the schedule. After each bark of a repeating schedule, `next` is the time of the following occurrence.",
    parameters: readPreconditions,
    responses: {
      200: {
        description: 'The schedule.',
        headers: { ETag: header('ETag'), 'Last-Modified': header('Last-Modified'), ...revalidated },
        content: json('BarkSchedule', {
          everyTenMinutes: { last: 1795234376, next: 1795234976 },
          beforeTheFirstBark: { last: null, next: 1795234976 },
          afterTheEnd: { last: 1795234376, next: null },
        }),
      },
      404: scheduleNotFound,
    },
  },
  DeleteBarkSchedule: {
    tag: 'Variant C',
    description: 'Ends the schedule: `next` becomes null. The time of the last scheduled bark remains.',
    parameters: writePreconditions,
    responses: { 204: { description: 'The schedule has ended.' }, 404: scheduleNotFound },
  },
} as const satisfies Record<string, OperationDescription>;
