import * as v from 'valibot';

/** A JSON object with these fields, and no others; each other one is told. */
export function documentOf<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.objectWithRest(entries, v.never('is not a known field'), 'must be a JSON object');
}
