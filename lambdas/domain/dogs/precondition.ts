import type { Dog } from './dog.ts';

export class StateMismatch extends Error {
  override readonly name = 'StateMismatch';
  readonly dog: string;

  constructor(dog: string) {
    super(`The dog "${dog}" does not meet the precondition.`);
    this.dog = dog;
  }
}

/** Every write that clients can see creates a new state. */
export type DogState = Pick<Dog, 'incarnation' | 'version'>;

/** @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-13.1 RFC 9110 section 13.1} */
export interface Precondition {
  /** `any` means that the dog must exist. */
  readonly match?: readonly DogState[] | 'any' | undefined;
  /** `any` means that the dog must not exist. */
  readonly noneMatch?: readonly DogState[] | 'any' | undefined;
  /** In Unix seconds. Even a bark counts as a change. A dog that does not exist meets the condition. */
  readonly unmodifiedSince?: number | undefined;
}

/** A schedule's state is its dog's state. `exists` is false if the dog has never had a schedule. */
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

/** True if a write must fail unless the dog still has the state that was checked. */
export function isConditional(precondition: Precondition): boolean {
  return Object.keys(precondition).length > 0;
}

export function isIn({ incarnation, version }: DogState, dog: Dog | undefined): boolean {
  return incarnation === dog?.incarnation && version === dog.version;
}
