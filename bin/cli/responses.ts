import * as v from 'valibot';

/*
 * What the commands rely on in the body of a response. A newer service may send other members too, which the commands show as they
 * are.
 */

export const Dog = v.looseObject({
  id: v.string(),
  barks: v.optional(
    v.looseObject({
      previous: v.array(v.number()),
      next: v.optional(v.number()),
      frequency: v.optional(v.number()),
    }),
  ),
  suspended: v.optional(
    v.array(v.looseObject({ address: v.string(), reason: v.string(), since: v.number() })),
  ),
});

export const DogList = v.looseObject({ dogs: v.array(v.looseObject({ id: v.string() })) });

export const Bark = v.looseObject({
  id: v.optional(v.string()),
  dog: v.optional(v.string()),
  timestamp: v.nullable(v.number()),
  status: v.string(),
  reason: v.optional(v.string()),
});

export const BarkList = v.looseObject({ barks: v.array(Bark) });

export const LastBark = v.looseObject({ timestamp: v.number() });

export const BarkSchedule = v.looseObject({
  last: v.nullable(v.number()),
  next: v.nullable(v.number()),
});

export const Problem = v.looseObject({
  type: v.optional(v.string()),
  title: v.string(),
  detail: v.optional(v.string()),
  instance: v.optional(v.string()),
  errors: v.optional(v.array(v.looseObject({ pointer: v.string(), detail: v.string() }))),
});

const maxDepth = 50;

/** Returns false for a document whose depth could exceed the stack. */
export function isShallow(document: unknown, depth = maxDepth): boolean {
  if (typeof document !== 'object' || document === null) return true;
  return depth > 0 && Object.values(document).every((value) => isShallow(value, depth - 1));
}
