import * as v from 'valibot';
import { effects } from '../domain/dogs/dog.ts';

const Timestamp = v.pipe(v.number(), v.integer(), v.description('Unix time in seconds'));

/** The fields of a dog that both GET of the dog and the list of dogs show. */
export const DogFields = v.strictObject({
  id: v.string(),
  email: v.exactOptional(v.string()),
  owner: v.exactOptional(v.string()),
  barkCount: v.pipe(v.number(), v.integer()),
  barkEffects: v.array(v.picklist(effects)),
  barkHandling: v.picklist(['sync', 'async']),
});

export const DogDocument = v.strictObject({
  ...DogFields.entries,
  barking: v.pipe(v.boolean(), v.description('True while an asynchronous bark is pending')),
  barks: v.exactOptional(
    v.strictObject({
      previous: v.pipe(v.array(Timestamp), v.description('The latest 100 barks at most, oldest first')),
      next: v.exactOptional(
        v.pipe(
          Timestamp,
          v.description(
            'The next occurrence of its schedule, until the dog has barked: it can be past, for up to five minutes',
          ),
        ),
      ),
      frequency: v.exactOptional(
        v.pipe(v.number(), v.integer(), v.description('Minutes from one scheduled bark to the next')),
      ),
    }),
  ),
});

export const DogListDocument = v.strictObject({ dogs: v.array(DogFields) });

export const BarkResource = v.strictObject({
  id: v.string(),
  dog: v.pipe(v.string(), v.url(), v.description('URL of the dog')),
  timestamp: v.pipe(v.nullable(Timestamp), v.description('When it happened; null until then')),
  status: v.picklist(['pending', 'complete', 'failed', 'cancelled']),
  reason: v.exactOptional(v.pipe(v.string(), v.description('Why it failed'))),
});

export const BarkScheduleResource = v.strictObject({
  last: v.pipe(
    v.nullable(Timestamp),
    v.description('The latest occurrence of any schedule at which the dog barked'),
  ),
  next: v.pipe(
    v.nullable(Timestamp),
    v.description(
      'The next occurrence, until the dog has barked: it can be past, for up to five minutes; null if there is none',
    ),
  ),
});

export const LastBarkResource = v.strictObject({ timestamp: Timestamp });

export const BarkListDocument = v.strictObject({ barks: v.array(BarkResource) });
