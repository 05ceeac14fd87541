import { StateMismatch } from '../platform/errors.ts';
import type { Dog } from './dog.ts';

/** A state of a dog. Every write to the dog creates a new state. */
export type DogState = Pick<Dog, 'incarnation' | 'version'>;

/**
 * A client's condition on the state of a dog before a change.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-13.1 RFC 9110 section 13.1}
 */
export interface Precondition {
  /** The dog must have one of these states. `any` means that the dog must exist. */
  readonly match?: readonly DogState[] | 'any' | undefined;
  /** The dog must have none of these states. `any` means that the dog must not exist. */
  readonly noneMatch?: readonly DogState[] | 'any' | undefined;
  /**
   * The dog must not have changed after this time, in Unix seconds. Every write to the dog counts as a change, even that of a
   * bark. A dog that does not exist meets the condition.
   */
  readonly unmodifiedSince?: number | undefined;
}

/**
 * Checks that a dog, or its schedule, meets a precondition. The state of a schedule is that of its dog.
 *
 * @param exists false if the dog has never had the schedule
 * @throws StateMismatch if the precondition is not met
 */
export function checkPrecondition(
  { match, noneMatch = [], unmodifiedSince = Number.POSITIVE_INFINITY }: Precondition,
  dog: Dog,
  exists = true,
): void {
  const includes = (states: readonly DogState[] | 'any') =>
    exists && (states === 'any' || states.some((state) => isIn(state, dog)));
  const isModified = exists && dog.lastModified > unmodifiedSince;
  if ((match && !includes(match)) || includes(noneMatch) || isModified) throw new StateMismatch(dog.id);
}

/** Returns true if a precondition has a condition, so that a write must have the state for which the condition was checked. */
export function isConditional(precondition: Precondition): boolean {
  return Object.keys(precondition).length > 0;
}

/** Returns true if a precondition has a list of more than one state. */
export function hasSeveralStates({ match, noneMatch }: Precondition): boolean {
  return [match, noneMatch].some((states) => Array.isArray(states) && states.length > 1);
}

/**
 * Returns the same precondition with at most one state in each list: the current state of the dog.
 *
 * @param dog undefined if the dog does not exist
 */
export function narrowPrecondition(precondition: Precondition, dog: Dog | undefined): Precondition {
  const current = (states: Precondition['match']) =>
    Array.isArray(states) ? states.filter((state) => isIn(state, dog)).slice(0, 1) : states;
  return {
    ...precondition,
    match: current(precondition.match),
    noneMatch: current(precondition.noneMatch),
  };
}

function isIn({ incarnation, version }: DogState, dog: Dog | undefined): boolean {
  return incarnation === dog?.incarnation && version === dog.version;
}
