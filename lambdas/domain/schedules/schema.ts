import * as v from 'valibot';
import { documentOf, readOnly } from '../platform/document.ts';

const longestFrequency = 525_600;

const timeRule = 'must be a time in Unix seconds, or 0 for now';

/** @param nullRule what is said of null */
function time(nullRule = timeRule) {
  return v.pipe(
    v.number(({ input }) => (input === null ? nullRule : timeRule)),
    v.integer('must be in whole seconds'),
    v.minValue(0, 'must not be negative'),
    v.description('When the dog barks next, in Unix seconds; 0 means now'),
  );
}

/** 0, null and absent all mean: once. */
const frequencyRule = `must be whole minutes from 1 to ${longestFrequency}, or 0 to bark once`;
const frequency = v.nullable(
  v.pipe(
    v.number(frequencyRule),
    v.integer(frequencyRule),
    v.minValue(0, frequencyRule),
    v.maxValue(longestFrequency, frequencyRule),
    v.description('Minutes from one bark to the next; 0 and null mean once'),
  ),
);

const largest = Number.MAX_SAFE_INTEGER;

/** Two numbers that JSON.parse makes the same are the same token; so beyond these bounds it would not be told apart. */
const token = v.pipe(
  v.number('must be a number'),
  v.finite('is too large for a number of JSON as programs read it (IEEE 754)'),
  v.check(
    (value) => !Number.isInteger(value) || Math.abs(value) <= largest,
    `must be from -${largest} to ${largest}: beyond that, integers that differ are read as one`,
  ),
  v.metadata({
    description: 'Any number: what is sent again with it changes nothing',
    minimum: -largest,
    maximum: largest,
  }),
);

/** The document that POST of a bark schedule takes. */
export const BarkScheduleDocument = documentOf({
  token,
  next: time(),
  frequency: v.optional(frequency, null),
});

const byPutAlone = v.optional(
  v.pipe(
    v.custom<never>(() => false, 'is changed by PUT, and not by PATCH'),
    v.metadata({ not: {} }),
  ),
);

/** The merge patch (RFC 7396) that PATCH of a dog takes: of its schedule alone. */
export const DogPatchDocument = documentOf({
  barks: v.optional(
    v.nullable(
      documentOf({
        next: v.optional(time('must not be null; {"barks": null} ends the schedule')),
        frequency: v.optional(frequency),
        previous: readOnly,
      }),
    ),
  ),
  email: byPutAlone,
  owner: byPutAlone,
  barkEffects: byPutAlone,
  barkHandling: byPutAlone,
  id: readOnly,
  barkCount: readOnly,
  barking: readOnly,
});
