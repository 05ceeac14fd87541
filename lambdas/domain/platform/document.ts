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

/** A client may send back the value that GET returned. */
export const readOnly = readOnlyField('A read-only field. The service ignores it.');

/** The caller checks that it is the ID in the path. */
export const readOnlyId = readOnlyField('A read-only field. If present, it must be the ID in the path.');

function readOnlyField(description: string) {
  return v.optional(v.pipe(v.unknown(), v.metadata({ readOnly: true, description })));
}
