import * as v from 'valibot';
import {
  frequencyRule,
  isFrequency,
  longestFrequency,
  shortestFrequency,
} from '../../contract/bark-schedule.ts';
import { mapSettings } from '../../contract/dog-settings.ts';
import { readOnlyFields } from '../dogs/schema.ts';
import { documentOf, readOnly } from '../platform/document.ts';

const timeRule = 'must be a time in Unix seconds, or 0 to mean now';

/** @param nullRule the error message for null */
function time(nullRule = timeRule) {
  return v.pipe(
    v.number(({ input }) => (input === null ? nullRule : timeRule)),
    v.integer('must be a whole number of seconds'),
    v.minValue(0, 'must not be negative'),
    v.description('The time of the next bark in Unix seconds. 0 means now.'),
  );
}

const frequency = v.nullable(
  v.pipe(
    v.number(frequencyRule),
    v.integer(frequencyRule),
    v.check(isFrequency, frequencyRule),
    v.metadata({
      description:
        'The number of minutes from one bark to the next. 0 and null mean that the dog barks once.',
      minimum: 0,
      maximum: longestFrequency,
      ...(shortestFrequency > 1 && {
        not: { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: shortestFrequency },
      }),
    }),
  ),
);

const largest = Number.MAX_SAFE_INTEGER;

const tokenRule = `must be from -${largest} to ${largest}`;

/** Beyond these bounds, JSON.parse returns the same number for different integers. */
const token = v.pipe(
  v.number('must be a number'),
  v.finite(tokenRule),
  v.check((value) => !Number.isInteger(value) || Math.abs(value) <= largest, tokenRule),
  v.metadata({
    description:
      'Any number that identifies the request. A repeated request with the same token and content changes nothing.',
    minimum: -largest,
    maximum: largest,
  }),
);

export const BarkScheduleDocument = documentOf({
  token,
  next: time(),
  frequency: v.optional(frequency, null),
});

const byPutAlone = v.optional(
  v.pipe(
    v.custom<never>(() => false, 'cannot be changed with PATCH; change it with PUT'),
    v.metadata({ not: {} }),
  ),
);

/** A merge patch ({@link https://www.rfc-editor.org/rfc/rfc7396 RFC 7396}) that changes only the dog's schedule. */
export const DogPatchDocument = documentOf({
  barks: v.optional(
    v.pipe(
      v.nullable(
        documentOf({
          next: v.optional(time('must not be null; send {"barks": null} to end the schedule')),
          frequency: v.optional(frequency),
          previous: readOnly({ type: 'array', items: { type: 'integer' } }),
        }),
      ),
      v.description('The schedule, or null to end it. Fields that the patch omits do not change.'),
    ),
  ),
  ...mapSettings(() => byPutAlone),
  ...readOnlyFields,
});
