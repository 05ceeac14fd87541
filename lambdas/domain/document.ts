import * as v from 'valibot';

/** A JSON object with these fields, and no others; each other one is told. */
export function documentOf<Entries extends v.ObjectEntries>(entries: Entries) {
  // Without a prototype, lest `constructor` count as a field.
  const own: Entries = Object.assign(Object.create(null), entries);
  return v.objectWithRest(own, v.never('is not a known field'), 'must be a JSON object');
}
