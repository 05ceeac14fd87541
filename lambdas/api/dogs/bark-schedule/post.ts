import { findDogAnd } from '../../../domain/dogs/read.ts';
import { anyDog, preparation } from '../../../domain/platform/prepare.ts';
import { postSchedule } from '../../../domain/schedules/change.ts';
import { findSchedule } from '../../../domain/schedules/eventbridge.ts';
import { BarkScheduleDocument } from '../../../domain/schedules/schema.ts';
import { preconditionOf } from '../../../http/conditional.ts';
import { endpointWithBody } from '../../../http/endpoint.ts';

export const handler = endpointWithBody(
  { schema: BarkScheduleDocument, acceptHeader: 'Accept-Post' },
  async (request) => {
    const { user, body, context } = request;
    const precondition = preconditionOf(request);
    await postSchedule(request.parameter('dog_id'), { ...body, user, precondition }, context);
    return { status: 205 };
  },
);

export const prepare = preparation((context) =>
  Promise.all([findDogAnd({ dog: anyDog, sk: undefined }, context), findSchedule(anyDog, 'any', context)]),
);
