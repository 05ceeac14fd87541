import * as v from 'valibot';

export const unknownField = 'is not a known field';

/** Rejects arrays, which valibot's `objectWithRest` accepts. */
const noArray = v.custom<object>((value) => !Array.isArray(value), 'must be a JSON object');

/** The schema reports each unknown field. */
export function documentOf<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(
    noArray,
    v.objectWithRest(entries, v.never(unknownField), ({ expected }) =>
      expected === 'Object' ? 'must be a JSON object' : 'is required',
    ),
  );
}

/** @param maxLength in Unicode code points @param metadata other members of the JSON Schema */
export function unicodeText(maxLength: number, metadata: object = {}) {
  return v.pipe(
    v.string('must be a string'),
    v.check(
      (text) => text.length > 0 && [...text].length <= maxLength,
      `must have 1 to ${maxLength} characters`,
    ),
    v.check((text) => text.isWellFormed(), 'must be Unicode text without unpaired surrogates'),
    // The JSON Schema has no pattern, because no pattern excludes surrogates in ECMAScript, Python and Rust alike.
    v.metadata({ ...metadata, minLength: 1, maxLength }),
  );
}

/**
 * A client may send back the value that GET returned. Any other value is valid, too.
 *
 * @param jsonSchema describes what GET returns. A generated client could send a field without a type as null
 */
export function readOnly(jsonSchema: object) {
  return readOnlyField({ ...jsonSchema, description: 'A read-only field. The service ignores it.' });
}

/** The caller must check that the value is the ID in the path. */
export const readOnlyId = readOnlyField({
  type: 'string',
  description: 'A read-only field. If present, it must be the ID in the path.',
});

function readOnlyField(jsonSchema: object) {
  return v.optional(v.pipe(v.unknown(), v.metadata({ ...jsonSchema, readOnly: true })));
}
