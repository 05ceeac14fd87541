import { findDogAnd } from '../../domain/dogs/read.ts';
import { anyDog, preparation } from '../../domain/platform/prepare.ts';
import { patchSchedule } from '../../domain/schedules/change.ts';
import { findSchedule } from '../../domain/schedules/eventbridge.ts';
import { entityTagPreconditionOf } from '../../http/conditional.ts';
import { endpoint } from '../../http/endpoint.ts';
import { patchOf, unmodifiedSince, withForbiddenForInvalidPatch } from '../../http/patch.ts';

export const handler = endpoint(
  withForbiddenForInvalidPatch(async (request) => {
    const body = request.bytes();
    const outcome = await patchSchedule(
      request.parameter('dog_id'),
      {
        user: request.user,
        since: unmodifiedSince(request),
        body,
        precondition: entityTagPreconditionOf(request),
        content: patchOf(request),
      },
      request.context,
    );
    return { status: outcome === 'changed' ? 205 : 204 };
  }),
);

export const prepare = preparation((context) =>
  Promise.all([findDogAnd({ dog: anyDog, sk: undefined }, context), findSchedule(anyDog, 'any', context)]),
);
