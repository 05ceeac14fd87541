import * as v from 'valibot';
import { effects } from '../domain/dogs/dog.ts';

/** Returns the schema of a time in Unix seconds. */
const time = (description: string) => v.pipe(v.number(), v.integer(), v.description(description));

/** Returns the schema of a time in Unix seconds, or null. */
const nullableTime = (description: string) =>
  v.pipe(v.nullable(v.pipe(v.number(), v.integer())), v.description(description));

/** The fields of a dog that GET of the dog and the list of dogs have in common. */
export const DogFields = v.strictObject({
  id: v.pipe(v.string(), v.description('The ID of the dog.')),
  email: v.exactOptional(v.pipe(v.string(), v.description('The e-mail address of the dog.'))),
  owner: v.exactOptional(v.pipe(v.string(), v.description('The owner of the dog, as a URI reference.'))),
  barkCount: v.pipe(
    v.number(),
    v.integer(),
    v.description('The number of barks with the effect count or record.'),
  ),
  barkEffects: v.pipe(
    v.array(v.picklist(effects)),
    v.description(
      'What a bark does: send mail to the dog (emailDog) or the owner (emailOwner), increase the bark count (count), or be recorded as a resource (record).',
    ),
  ),
  barkHandling: v.pipe(
    v.picklist(['sync', 'async']),
    v.description(
      'Whether the service responds after the dog has barked (sync), or as soon as it has accepted the bark (async).',
    ),
  ),
});

export const DogDocument = v.strictObject({
  ...DogFields.entries,
  barking: v.pipe(v.boolean(), v.description('True while an asynchronous bark is pending.')),
  barks: v.exactOptional(
    v.pipe(
      v.strictObject({
        previous: v.pipe(
          v.array(v.pipe(v.number(), v.integer())),
          v.description('The times of the latest barks in Unix seconds, oldest first. At most 100.'),
        ),
        next: v.exactOptional(
          time(
            'The time of the next occurrence of the schedule in Unix seconds. It does not change until the dog has barked, so it can be up to five minutes in the past.',
          ),
        ),
        frequency: v.exactOptional(
          v.pipe(
            v.number(),
            v.integer(),
            v.description('The number of minutes from one occurrence of the schedule to the next.'),
          ),
        ),
      }),
      v.description(
        'The latest barks and the schedule. The field is absent if the dog has no barks and no schedule.',
      ),
    ),
  ),
});

export const DogListDocument = v.strictObject({
  dogs: v.pipe(v.array(DogFields), v.description('The dogs in the order of their IDs.')),
});

export const BarkResource = v.strictObject({
  id: v.pipe(v.string(), v.description('The ID of the bark.')),
  dog: v.pipe(v.string(), v.url(), v.description('The URL of the dog.')),
  timestamp: nullableTime('The time of the bark in Unix seconds. Null if the dog has not barked.'),
  status: v.pipe(
    v.picklist(['pending', 'complete', 'failed', 'cancelled']),
    v.description('The status of the bark. All statuses except pending are final.'),
  ),
  reason: v.exactOptional(
    v.pipe(v.string(), v.description('The reason why the bark failed. Only a failed bark has it.')),
  ),
});

export const BarkScheduleResource = v.strictObject({
  last: nullableTime(
    'The time in Unix seconds of the latest occurrence at which the dog barked, of this schedule or an earlier one. Null if there is none.',
  ),
  next: nullableTime(
    'The time of the next occurrence in Unix seconds. It does not change until the dog has barked, so it can be up to five minutes in the past. Null if there is none.',
  ),
});

export const LastBarkResource = v.strictObject({
  timestamp: time('The time of the last bark in Unix seconds.'),
});

export const BarkListDocument = v.strictObject({
  barks: v.pipe(v.array(BarkResource), v.description('The recorded barks, newest first.')),
});
