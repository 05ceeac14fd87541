import { InvalidEvent } from './errors.ts';

/** A function that returns true if a member of an event has a valid value. */
export type Check = (value: unknown) => boolean;

/** Returns the check for a string that matches a pattern. */
export function matches(pattern: RegExp): Check {
  return (value) => typeof value === 'string' && pattern.test(value);
}

/** The check for a ULID, such as the incarnation of a dog. It accepts all capital letters, even those that no ULID contains. */
export const isUlid = matches(/^[0-9A-Z]{26}$/);

/**
 * Checks the members of an event, and returns the event. The event may have other members. This function replaces a validation
 * library, because a library would take longer to load than the Lambda functions take to run.
 *
 * @param checks a check for each required member of the event
 * @throws InvalidEvent if a check fails
 */
export function validEvent<Event>(
  event: unknown,
  checks: { readonly [Name in keyof Event]-?: Check },
): Event {
  const members = Object(event) as Readonly<Record<string, unknown>>;
  const invalid = Object.entries<Check>(checks).filter(([name, isValid]) => !isValid(members[name]));
  if (invalid.length > 0)
    throw new InvalidEvent(
      `The event has missing or invalid members: ${invalid.map(([name]) => name).join(', ')}.`,
    );
  return event as Event;
}
