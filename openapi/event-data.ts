import * as v from 'valibot';
import { type SettingWith, settingNames, settingOf } from '../lambdas/contract/dog-settings.ts';
import { barkId } from '../lambdas/domain/barks/bark.ts';
import { dogId } from '../lambdas/domain/dogs/dog.ts';
import type { EventData } from '../lambdas/domain/events/event.ts';
import { shownEntries } from './shown-settings.ts';

const dog = v.pipe(v.string(), v.regex(dogId), v.description('The ID of the dog.'));
const bark = v.pipe(v.string(), v.regex(barkId), v.description('The ID of the bark.'));
const recorded = v.pipe(
  v.boolean(),
  v.description('True if the bark is a resource that exists as long as the dog does.'),
);
const time = (description: string) => v.pipe(v.number(), v.integer(), v.description(description));
const schedule = (description: string) =>
  v.pipe(v.string(), v.regex(/^[0-9A-Z]{20}$/), v.description(description));

const published = settingNames.flatMap((name) => {
  const { inEvents } = settingOf(name);
  return inEvents === undefined ? [] : [[name, inEvents]];
});

const settings = {
  dog,
  ...shownEntries(Object.fromEntries(published) as Record<SettingWith<'inEvents'>, string>),
};

const timing = {
  dog,
  schedule: schedule('The ID of the schedule.'),
  start: time('The time of the first occurrence in Unix seconds.'),
  frequency: v.pipe(
    v.nullable(v.pipe(v.number(), v.integer())),
    v.description('The number of minutes between occurrences; null if there is only one occurrence.'),
  ),
};

/** The schemas for the data of each event type. No event contains an email address or a message. */
export const eventData = {
  'dogs.bark.completed': v.pipe(
    v.strictObject({ dog, bark, recorded, timestamp: time('The time of the bark in Unix seconds.') }),
    v.description('A dog has barked.'),
  ),
  'dogs.bark.failed': v.pipe(
    v.strictObject({ dog, bark, reason: v.pipe(v.string(), v.description('The reason, as a sentence.')) }),
    v.description('An asynchronous bark has failed.'),
  ),
  'dogs.bark.cancelled': v.pipe(
    v.strictObject({ dog, bark }),
    v.description('A client has cancelled an asynchronous bark.'),
  ),
  'dogs.bark.mail-failed': v.pipe(
    v.strictObject({
      dog,
      bark,
      timestamp: time('The time of the bark in Unix seconds.'),
      reason: v.pipe(
        v.picklist(['not-sent', 'limit-reached']),
        v.description(
          'Why the mail failed: the service could not send it or does not know whether it was sent, or the dog had reached its mail limit.',
        ),
      ),
    }),
    v.description('A dog has barked on schedule, but the mail failed.'),
  ),
  'dogs.schedule.set': v.pipe(
    v.strictObject(timing),
    v.description('A client has set a schedule for a dog that had none.'),
  ),
  'dogs.schedule.replaced': v.pipe(
    v.strictObject({ ...timing, replaced: schedule('The ID of the former schedule.') }),
    v.description("A client has replaced a dog's schedule."),
  ),
  'dogs.schedule.ended': v.pipe(
    v.strictObject({
      dog,
      schedule: schedule('The ID of the schedule.'),
      reason: v.pipe(
        v.picklist(['request', 'last-occurrence', 'dog-deleted']),
        v.description(
          'Why the schedule has ended: because a client or an operator ended it, because the dog has barked at its only occurrence, or because the dog was deleted.',
        ),
      ),
    }),
    v.description("A dog's schedule has ended."),
  ),
  'dogs.dog.created': v.pipe(v.strictObject(settings), v.description('A client has created a dog.')),
  'dogs.dog.changed': v.pipe(
    v.strictObject(settings),
    v.description("A client has changed a dog's settings."),
  ),
  'dogs.dog.deleted': v.pipe(
    v.strictObject({
      dog,
      barkCount: v.pipe(v.number(), v.integer(), v.description("The dog's final bark count.")),
    }),
    v.description('A client has deleted a dog.'),
  ),
} as const satisfies { readonly [Type in keyof EventData]: v.GenericSchema<EventData[Type]> };

export const eventSchemaId = 'urn:dogs:events';

const nonEmpty = (description: string) => v.pipe(v.string(), v.minLength(1), v.description(description));

/**
 * @see {@link https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md CloudEvents 1.0}
 * @see {@link https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/extensions/sequence.md The Sequence extension}
 */
export const EventAttributes = v.strictObject({
  specversion: v.pipe(v.literal('1.0'), v.description('The version of CloudEvents.')),
  id: nonEmpty('The ID of the event. If an event is delivered again, it has the same ID.'),
  source: nonEmpty('The base URL of the service.'),
  type: nonEmpty('The type of the event.'),
  subject: v.pipe(
    v.string(),
    v.regex(/^\/v1\/dogs\/[^/]+\/(barks\/[^/]+)?$/),
    v.description('The path of the dog or the bark.'),
  ),
  time: v.pipe(
    v.string(),
    v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
    v.description('The time at which the service stored the change, in the format of RFC 3339.'),
  ),
  datacontenttype: v.pipe(v.literal('application/json'), v.description('The media type of the data.')),
  dataschema: nonEmpty('The URI of the JSON Schema of the data.'),
  sequence: v.pipe(
    v.string(),
    v.regex(/^\d{40}\.\d$/),
    v.description(
      "The position of the event in one of the dog's two sequences: one for its barks, one for the dog itself and its schedule. Compare the values as strings to order the events of a sequence.",
    ),
  ),
});
