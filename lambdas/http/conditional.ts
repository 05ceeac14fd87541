import { hash } from 'node:crypto';
import { type Bark, timeOf } from '../domain/barks/bark.ts';
import type { Dog } from '../domain/dogs/dog.ts';
import type { DogState, Precondition } from '../domain/dogs/precondition.ts';
import { formatHttpDate, httpDate } from './http-date.ts';
import { Problem, preconditionFailed } from './problem.ts';
import type { Request } from './request.ts';

export interface Validators {
  readonly ETag?: string;
  readonly 'Last-Modified'?: string;
}

/**
 * The validators of a dog or its schedule. A write compares only the state in the entity tag. A GET compares the whole
 * tag, because the representation also shows data that is not stored with the dog.
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
 * Only a pending bark has a Last-Modified date: the time of its acceptance. A later state can begin in the same second, so
 * its date could be the same.
 */
export function barkValidators({ id, status }: Bark, representation: object): Validators {
  return {
    ETag: `"${digestOf(representation)}"`,
    ...(status === 'pending' && { 'Last-Modified': formatHttpDate(Math.floor(timeOf(id) / 1000)) }),
  };
}

/** Weak, because API Gateway may compress the representation. */
export function weakTag(...representation: unknown[]): { ETag: string } {
  return { ETag: `W/"${digestOf(representation)}"` };
}

function digestOf(representation: unknown): string {
  return hash('sha256', JSON.stringify(representation), 'base64url').slice(0, 12);
}

/**
 * For a GET or HEAD. If the result is true, the response is 304.
 *
 * @param isUnchangedSince called with Unix seconds, and only if If-Modified-Since decides the response
 * @throws Problem 400 for a malformed list of entity tags, 412 if If-Match or If-Unmodified-Since is false
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
  if (isModifiedSince(validators, unmodifiedSinceOf(request)))
    throw new Problem(
      'precondition-failed',
      `The resource changed at ${validators['Last-Modified']}, after the date in If-Unmodified-Since. GET the resource without If-Unmodified-Since.`,
    );
  if (request.header('If-None-Match') !== undefined) return matchesIfNoneMatch(request, validators);
  const since = httpDate(request.header('If-Modified-Since') ?? '', request.context.now);
  return since !== undefined && isUnchangedSince(since);
}

/**
 * For a request that may change a resource.
 *
 * @param validators undefined if the resource does not exist, empty if it has no validators
 * @throws Problem 400 for a malformed list of entity tags, 412 for a false condition
 */
export function checkPreconditions(request: Request, validators: Validators | undefined): void {
  const isRefused =
    !matchesIfMatch(request, validators) ||
    isModifiedSince(validators, unmodifiedSinceOf(request)) ||
    matchesIfNoneMatch(request, validators);
  if (isRefused) throw preconditionFailed();
}

/**
 * For a resource without validators. Calls `exists` only if a precondition is `*`.
 *
 * @throws Problem as `checkPreconditions` does
 */
export async function checkExistence(request: Request, exists: () => Promise<boolean>): Promise<void> {
  const isAny = (name: string) => request.header(name)?.trim() === '*';
  const isAbsent = (isAny('If-Match') || isAny('If-None-Match')) && !(await exists());
  checkPreconditions(request, isAbsent ? undefined : {});
}

/** A weak ETag never matches. */
function matchesIfMatch(request: Request, validators: Validators | undefined): boolean {
  const tags = entityTags(request, 'If-Match');
  if (tags === 'any') return validators !== undefined;
  return tags === undefined || tags.some((tag) => `"${tag}"` === validators?.ETag);
}

function matchesIfNoneMatch(request: Request, validators: Validators | undefined): boolean {
  const tags = entityTags(request, 'If-None-Match') ?? [];
  if (tags === 'any') return validators !== undefined;
  return tags.some((tag) => `"${tag}"` === validators?.ETag?.replace(/^W\//, ''));
}

function isModifiedSince(validators: Validators | undefined, since: number | undefined): boolean {
  return since !== undefined && Date.parse(validators?.['Last-Modified'] ?? '') > since * 1000;
}

/** @throws Problem 400 for a malformed list of entity tags */
export function preconditionOf(request: Request): Precondition {
  const unmodifiedSince = unmodifiedSinceOf(request);
  return { ...entityTagPreconditionOf(request), ...(unmodifiedSince !== undefined && { unmodifiedSince }) };
}

/** Unix seconds. If-Match overrides any date: https://www.rfc-editor.org/rfc/rfc9110#section-13.1.4 */
function unmodifiedSinceOf(request: Request): number | undefined {
  if (request.header('If-Match') !== undefined) return undefined;
  return httpDate(request.header('If-Unmodified-Since') ?? '', request.context.now);
}

/** @throws Problem 400 for a malformed list of entity tags */
export function entityTagPreconditionOf(request: Request): Precondition {
  const match = entityTags(request, 'If-Match');
  const noneMatch = entityTags(request, 'If-None-Match');
  return { ...(match && { match: statesOf(match) }), ...(noneMatch && { noneMatch: statesOf(noneMatch) }) };
}

/** A list may have empty elements: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.1 */
const entityTagList = /^[\s,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"\s*(?:,[\s,]*|$))+$/;

/** Omits weak tags from If-Match, because they never match: https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1 */
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
