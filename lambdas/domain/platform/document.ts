import * as v from 'valibot';

/** The detail of the error for a field that a document does not have. */
export const unknownField = 'is not a known field';

/** To objectWithRest an array is an object too. */
const noArray = v.custom<object>((value) => !Array.isArray(value), 'must be a JSON object');

/** A JSON object with these fields, and no others; each other one is told. */
export function documentOf<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(
    noArray,
    v.objectWithRest(entries, v.never(unknownField), ({ expected }) =>
      expected === 'Object' ? 'must be a JSON object' : 'must be given',
    ),
  );
}

/** What GET shows and only the service changes: it may be sent back, and is ignored. */
export const readOnly = v.optional(
  v.pipe(
    v.unknown(),
    v.metadata({ readOnly: true, description: 'May be sent back as GET gave it; ignored' }),
  ),
);
