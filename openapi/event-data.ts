import * as v from 'valibot';
import { dogId } from '../lambdas/contract/dog-id.ts';
import { barkId } from '../lambdas/domain/barks/bark.ts';
import type { EventData, SettingsData } from '../lambdas/domain/events/event.ts';
import { boolean, integer, literal, matching, nullableInteger, oneOf, text } from './described.ts';
import { shownEntries } from './shown-settings.ts';

const object = <Entries extends v.ObjectEntries>(entries: Entries, description: string) =>
  v.pipe(v.strictObject(entries), v.description(description));

const dog = matching(dogId, 'The ID of the dog.');
const bark = matching(barkId, 'The ID of the bark.');
const recorded = boolean('True if the bark is a resource that exists as long as the dog does.');
const schedule = (description: string) => matching(/^[0-9A-Z]{20}$/, description);

const settings = {
  dog,
  ...shownEntries({
    barkEffects: 'The effects of a bark.',
    barkHandling: 'Whether the service responds after the dog has barked (sync), or before (async).',
  } satisfies Record<Exclude<keyof SettingsData, 'dog'>, string>),
};

const timing = {
  dog,
  schedule: schedule('The ID of the schedule.'),
  start: integer('The time of the first occurrence in Unix seconds.'),
  frequency: nullableInteger(
    'The number of minutes between occurrences; null if there is only one occurrence.',
  ),
};

/** The schemas for the data of each event type. No event contains an email address or a message. */
export const eventData = {
  'dogs.bark.completed': object(
    { dog, bark, recorded, timestamp: integer('The time of the bark in Unix seconds.') },
    'A dog has barked.',
  ),
  'dogs.bark.failed': object(
    { dog, bark, reason: text('The reason, as a sentence.') },
    'An asynchronous bark has failed.',
  ),
  'dogs.bark.cancelled': object({ dog, bark }, 'A client has cancelled an asynchronous bark.'),
  'dogs.bark.mail-failed': object(
    {
      dog,
      bark,
      timestamp: integer('The time of the bark in Unix seconds.'),
      reason: oneOf(
        ['not-sent', 'limit-reached'],
        'Why the mail failed: the service could not send it or does not know whether it was sent, or the dog had reached its mail limit.',
      ),
    },
    'A dog has barked on schedule, but the mail failed.',
  ),
  'dogs.schedule.set': object(timing, 'A client has set a schedule for a dog that had none.'),
  'dogs.schedule.replaced': object(
    { ...timing, replaced: schedule('The ID of the former schedule.') },
    "A client has replaced a dog's schedule.",
  ),
  'dogs.schedule.ended': object(
    {
      dog,
      schedule: schedule('The ID of the schedule.'),
      reason: oneOf(
        ['request', 'last-occurrence', 'dog-deleted'],
        'Why the schedule has ended: because a client or an operator ended it, because the dog has barked at its only occurrence, or because the dog was deleted.',
      ),
    },
    "A dog's schedule has ended.",
  ),
  'dogs.dog.created': object(settings, 'A client has created a dog.'),
  'dogs.dog.changed': object(settings, "A client has changed a dog's settings."),
  'dogs.dog.deleted': object(
    {
      dog,
      barkCount: integer("The dog's final bark count."),
    },
    'A client has deleted a dog.',
  ),
} as const satisfies { readonly [Type in keyof EventData]: v.GenericSchema<EventData[Type]> };

export const eventSchemaId = 'urn:dogs:events';

const nonEmpty = (description: string) => v.pipe(v.string(), v.minLength(1), v.description(description));

/**
 * @see {@link https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md CloudEvents 1.0}
 * @see {@link https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/extensions/sequence.md The Sequence extension}
 */
export const EventAttributes = v.strictObject({
  specversion: literal('1.0', 'The version of CloudEvents.'),
  id: nonEmpty('The ID of the event. If an event is delivered again, it has the same ID.'),
  source: nonEmpty('The base URL of the service.'),
  type: nonEmpty('The type of the event.'),
  subject: matching(/^\/v1\/dogs\/[^/]+\/(barks\/[^/]+)?$/, 'The path of the dog or the bark.'),
  time: matching(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
    'The time at which the service stored the change, in the format of RFC 3339.',
  ),
  datacontenttype: literal('application/json', 'The media type of the data.'),
  dataschema: nonEmpty('The URI of the JSON Schema of the data.'),
  sequence: matching(
    /^\d{40}\.\d$/,
    "The position of the event in one of the dog's two sequences: one for its barks, one for the dog itself and its schedule. Compare the values as strings to order the events of a sequence.",
  ),
});
