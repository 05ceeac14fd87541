/** A retry would have the same result. Nothing was done. */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent';
}

export type Check = (value: unknown) => boolean;

export function matches(pattern: RegExp): Check {
  return (value) => typeof value === 'string' && pattern.test(value);
}

/** Accepts all capital letters, even those that no ULID contains. */
export const isUlid = matches(/^[0-9A-Z]{26}$/);

/**
 * Ignores members without a check. A validation library would take longer to load than the Lambda functions take to run.
 *
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
