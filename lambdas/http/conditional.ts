import { hash } from 'node:crypto';
import { type Bark, timeOf } from '../domain/barks/bark.ts';
import type { Dog } from '../domain/dogs/dog.ts';
import type { DogState, Precondition } from '../domain/dogs/precondition.ts';
import { formatHttpDate, httpDate } from './http-date.ts';
import { Problem, preconditionFailed } from './problem.ts';
import type { Request } from './request.ts';

/** The validators of a representation, as header fields. A representation can have one, both or none. */
export interface Validators {
  readonly ETag?: string;
  readonly 'Last-Modified'?: string;
}

/**
 * Returns the validators of the representation of a dog or of its schedule. The entity tag consists of the dog's state and a digest
 * of the representation. For a request that changes the resource, the service compares only the states in If-Match and
 * If-None-Match. For a GET, it compares the whole tags. The digest is necessary because the representation also contains data that
 * is not stored with the dog.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3 RFC 9110 section 8.8.3}
 */
export function validatorsOf(dog: Dog, representation: object): Required<Validators> {
  return {
    ETag: `"${dog.incarnation}.${dog.version}.${digestOf(representation)}"`,
    'Last-Modified': formatHttpDate(dog.lastModified),
  };
}

/**
 * Returns the validators of the representation of a bark. A date could not distinguish two states in the same second, so only a
 * pending bark, which has had no other state, has a date: the time at which the service accepted it.
 */
export function barkValidators({ id, status }: Bark, representation: object): Validators {
  return {
    ETag: `"${digestOf(representation)}"`,
    ...(status === 'pending' && { 'Last-Modified': formatHttpDate(Math.floor(timeOf(id) / 1000)) }),
  };
}

/**
 * Returns a weak entity tag, for a representation that API Gateway may compress. API Gateway does not change the tag.
 *
 * @see docs/adr/0004-http-conventions.md
 */
export function weakTag(...representation: unknown[]): { ETag: string } {
  return { ETag: `W/"${digestOf(representation)}"` };
}

function digestOf(representation: unknown): string {
  return hash('sha256', JSON.stringify(representation), 'base64url').slice(0, 12);
}

/**
 * Evaluates the preconditions of a GET or HEAD in the order that RFC 9110 defines. Ignores a date if the representation has none.
 *
 * @param isUnchangedSince returns true if the representation has not changed since a time in Unix seconds. Called only if
 *   If-Modified-Since decides the response. By default, compares the time with Last-Modified
 * @returns true if the client already has the representation. The response is then 304
 * @throws Problem 400 if If-Match or If-None-Match is neither `*` nor a list of entity tags
 * @throws Problem 412 if the condition in If-Match or If-Unmodified-Since is false
 * @throws any error of `isUnchangedSince`
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2 RFC 9110 section 13.2.2}
 */
export async function isNotModified(
  request: Request,
  validators: Validators,
  isUnchangedSince: (since: number) => boolean | Promise<boolean> = (since) =>
    validators['Last-Modified'] !== undefined && !isModifiedSince(validators, since),
): Promise<boolean> {
  if (!matchesIfMatch(request, validators))
    throw new Problem(
      'precondition-failed',
      'The ETag of the resource does not match If-Match. GET the resource without If-Match.',
    );
  const unmodifiedSince = unmodifiedSinceOf(request);
  if (unmodifiedSince !== undefined && isModifiedSince(validators, unmodifiedSince))
    throw new Problem(
      'precondition-failed',
      `The resource changed at ${validators['Last-Modified']}, after the date in If-Unmodified-Since. GET the resource without If-Unmodified-Since.`,
    );
  if (request.header('If-None-Match') !== undefined) return matchesIfNoneMatch(request, validators);
  const since = httpDate(request.header('If-Modified-Since') ?? '');
  return since !== undefined && isUnchangedSince(since);
}

/**
 * Evaluates the preconditions of a request that may change a resource, in the order that RFC 9110 defines. Ignores
 * If-Unmodified-Since if the resource has no date.
 *
 * @param validators the validators of the current representation; empty if the resource has none, undefined if it does not exist
 * @throws Problem 400 if If-Match or If-None-Match is neither `*` nor a list of entity tags
 * @throws Problem 412 if a condition is false
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2 RFC 9110 section 13.2.2}
 */
export function checkPreconditions(request: Request, validators: Validators | undefined): void {
  const unmodifiedSince = unmodifiedSinceOf(request);
  if (
    !matchesIfMatch(request, validators) ||
    (unmodifiedSince !== undefined && isModifiedSince(validators, unmodifiedSince)) ||
    matchesIfNoneMatch(request, validators)
  )
    throw preconditionFailed();
}

/**
 * Evaluates the preconditions of a request to a resource that has no validators.
 *
 * @param exists returns true if the resource exists. Called only if the preconditions depend on it
 * @throws Problem 400 if If-Match or If-None-Match is neither `*` nor a list of entity tags
 * @throws Problem 412 if a condition is false
 * @throws any error of `exists`
 */
export async function checkExistence(request: Request, exists: () => Promise<boolean>): Promise<void> {
  const isAny = (name: string) => request.header(name)?.trim() === '*';
  const isAbsent = (isAny('If-Match') || isAny('If-None-Match')) && !(await exists());
  checkPreconditions(request, isAbsent ? undefined : {});
}

/** Returns false if the condition in If-Match is false. A weak tag of the representation matches no tag. */
function matchesIfMatch(request: Request, validators: Validators | undefined): boolean {
  const tags = entityTags(request, 'If-Match');
  if (tags === 'any') return validators !== undefined;
  return tags === undefined || tags.some((tag) => `"${tag}"` === validators?.ETag);
}

/** Returns true if the condition in If-None-Match is false. */
function matchesIfNoneMatch(request: Request, validators: Validators | undefined): boolean {
  const tags = entityTags(request, 'If-None-Match') ?? [];
  if (tags === 'any') return validators !== undefined;
  return tags.some((tag) => `"${tag}"` === validators?.ETag?.replace(/^W\//, ''));
}

function isModifiedSince(validators: Validators | undefined, since: number): boolean {
  return Date.parse(validators?.['Last-Modified'] ?? '') > since * 1000;
}

/**
 * Returns the precondition that If-Match, If-None-Match and If-Unmodified-Since set for a change to a dog or to
 * its schedule. Ignores If-Unmodified-Since if it is not a valid date, or if the request has If-Match.
 *
 * @throws Problem 400 if If-Match or If-None-Match is neither `*` nor a list of entity tags
 */
export function preconditionOf(request: Request): Precondition {
  const unmodifiedSince = unmodifiedSinceOf(request);
  return {
    ...entityTagPreconditionOf(request),
    ...(unmodifiedSince !== undefined && { unmodifiedSince }),
  };
}

/**
 * Returns the date in If-Unmodified-Since as Unix seconds. Returns undefined if the request does not have this header, if the
 * header is not a valid date, or if the request has If-Match.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-13.1.4 RFC 9110 section 13.1.4}
 */
function unmodifiedSinceOf(request: Request): number | undefined {
  return request.header('If-Match') === undefined
    ? httpDate(request.header('If-Unmodified-Since') ?? '')
    : undefined;
}

/**
 * Returns the precondition that If-Match and If-None-Match set for a change to a dog.
 *
 * @throws Problem 400 if one of these headers is neither `*` nor a list of entity tags
 */
export function entityTagPreconditionOf(request: Request): Precondition {
  const match = entityTags(request, 'If-Match');
  const noneMatch = entityTags(request, 'If-None-Match');
  return {
    ...(match && { match: statesOf(match) }),
    ...(noneMatch && { noneMatch: statesOf(noneMatch) }),
  };
}

/**
 * The pattern of a list of entity tags. The list may have empty elements.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-5.6.1 RFC 9110 section 5.6.1}
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3 RFC 9110 section 8.8.3}
 */
const entityTagList = /^[\s,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"\s*(?:,[\s,]*|$))+$/;

/**
 * Returns the entity tags in a header field, without quotes, or undefined if the request does not have the field. Omits weak tags
 * from If-Match, because they never match there.
 *
 * @throws Problem 400 if the field is neither `*` nor a list of entity tags
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1 RFC 9110 section 13.1.1}
 */
function entityTags(request: Request, name: 'If-Match' | 'If-None-Match'): string[] | 'any' | undefined {
  const field = request.header(name);
  if (field === undefined) return undefined;
  if (field.trim() === '*') return 'any';
  if (!entityTagList.test(field))
    throw new Problem(
      'invalid-entity-tag',
      `The ${name} header must be * or a list of entity tags in double quotes. Send the ETag of your last GET.`,
    );
  return [...field.matchAll(/(W\/)?"([^"]*)"/g)].flatMap(([, weak, opaque = '']) =>
    weak && name === 'If-Match' ? [] : [opaque],
  );
}

function statesOf(tags: string[] | 'any'): DogState[] | 'any' {
  if (tags === 'any') return 'any';
  return tags.flatMap((tag) => {
    const [, incarnation, version] = /^([0-9A-Z]{26})\.([0-9]{1,15})\./.exec(tag) ?? [];
    return incarnation && version ? [{ incarnation, version: Number(version) }] : [];
  });
}
