import * as v from 'valibot';
import { longestFrequency } from '../lambdas/contract/bark-schedule.ts';
import { mapSettings, settingTexts } from '../lambdas/contract/dog-settings.ts';
import { suspensionReasons } from '../lambdas/domain/dogs/dog.ts';
import { boolean, integer, integerBetween, listOf, nullableInteger, oneOf, text, url } from './described.ts';
import { shownEntries } from './shown-settings.ts';

const { barkEffects, barkHandling, ...otherSettings } = shownEntries(
  mapSettings((name) => settingTexts[name].description),
);

/** The list of dogs shows only these fields. */
export const DogFields = v.strictObject({
  id: text('The ID of the dog.'),
  ...otherSettings,
  barkCount: integer('The number of barks that had the effect `count` or `record`.'),
  barkEffects,
  barkHandling,
});

export const DogDocument = v.strictObject({
  ...DogFields.entries,
  barking: boolean('True while an asynchronous bark is pending.'),
  barks: v.exactOptional(
    v.pipe(
      v.strictObject({
        previous: v.pipe(
          v.array(v.pipe(v.number(), v.integer())),
          v.description('The times of the latest barks in Unix seconds, oldest first. At most 100 entries.'),
        ),
        next: v.exactOptional(
          integer(
            'The time of the next occurrence of the schedule, in Unix seconds. If that bark is late, `next` remains the scheduled time until the dog barks, for up to five minutes.',
          ),
        ),
        frequency: v.exactOptional(
          integerBetween(
            1,
            longestFrequency,
            'The number of minutes from one occurrence of the schedule to the next.',
          ),
        ),
      }),
      v.description(
        'The times of the latest barks, and the schedule. The field is absent if the dog has no barks and no schedule.',
      ),
    ),
  ),
  suspended: v.exactOptional(
    v.pipe(
      v.array(
        v.strictObject({
          address: text('The address of the dog or of its owner.'),
          reason: oneOf(
            suspensionReasons,
            'Why the address gets no mail. `bounced`: its mail server permanently refused an email. `complained`: the recipient reported an email as spam. `unsubscribed`: the recipient no longer wants mail from this dog. `list-full`: so many addresses of the dog have been suspended that it sends no mail to any other address.',
          ),
          since: integer(
            'The time of the suspension, in Unix seconds. For `list-full`, the time at which the list became full.',
          ),
        }),
      ),
      v.description(
        "The dog's addresses that get no mail. The field is absent if there are none. To get mail again, ask the operator to lift the suspension, set another address unless the reason is `list-full`, or use the link in an earlier email if the reason is `unsubscribed`.",
      ),
    ),
  ),
});

export const DogListDocument = v.strictObject({
  dogs: listOf(DogFields, 'The dogs, in no particular order.'),
});

export const BarkResource = v.strictObject({
  id: text('The ID of the bark.'),
  dog: url('The URL of the dog.'),
  timestamp: nullableInteger('The time of the bark in Unix seconds. Null if the bark is not complete.'),
  status: oneOf(
    ['pending', 'complete', 'failed', 'cancelled'],
    'The status of the bark. All statuses except `pending` are final.',
  ),
  reason: v.exactOptional(text('Why the bark failed. The field is present only if the status is `failed`.')),
});

/** A bark that is no longer pending. It has no ID if the service has not recorded it. */
export const SettledBarkResource = v.strictObject({
  ...BarkResource.entries,
  id: v.exactOptional(text('The ID of the bark. The field is absent if the status is `complete`.')),
  status: oneOf(['complete', 'failed', 'cancelled'], 'The final status of the bark.'),
});

export const BarkScheduleResource = v.strictObject({
  last: nullableInteger(
    'The time of the latest bark that a schedule caused, in Unix seconds. Null if no schedule has made the dog bark yet.',
  ),
  next: nullableInteger(
    'The time of the next occurrence, in Unix seconds. If that bark is late, `next` remains the scheduled time until the dog barks, for up to five minutes. Null if no bark is scheduled.',
  ),
});

export const LastBarkResource = v.strictObject({
  timestamp: integer('The time of the last bark in Unix seconds.'),
});

export const BarkListDocument = v.strictObject({
  barks: listOf(BarkResource, 'The recorded barks, newest first.'),
});
