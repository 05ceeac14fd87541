import * as v from 'valibot';
import { documentOf } from '../platform/document.ts';

export const BarkDocument = documentOf({
  message: v.optional(
    v.pipe(
      v.string('must be a string'),
      v.check((text) => text.length > 0 && [...text].length <= 1000, 'must have 1 to 1000 characters'),
      v.check((text) => text.isWellFormed(), 'must be Unicode text without unpaired surrogates'),
      // The JSON Schema has no pattern, because no pattern excludes surrogates in ECMAScript, Python and Rust alike.
      v.metadata({
        description: 'The text of the mail that the bark sends: Unicode without unpaired surrogates.',
        minLength: 1,
        maxLength: 1000,
      }),
    ),
  ),
});
