import { hash } from 'node:crypto';
import type { Dog } from '../domain/dogs/dog.ts';
import type { DogState, Precondition } from '../domain/dogs/precondition.ts';
import { httpDate } from './http-date.ts';
import { Problem } from './problem.ts';
import type { Request } from './request.ts';

/**
 * Returns the validators of a dog's representation. The entity tag consists of the dog's state and a digest of the
 * representation. For a request that changes the dog, the service compares only the states in If-Match and If-None-Match. For a
 * GET, it compares the whole tags. The digest is necessary because the representation also contains data that is not stored with
 * the dog.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3 RFC 9110 section 8.8.3}
 */
export function validatorsOf(dog: Dog, representation: object): { ETag: string; 'Last-Modified': string } {
  const digest = hash('sha256', JSON.stringify(representation), 'base64url').slice(0, 12);
  return {
    ETag: `"${dog.incarnation}.${dog.version}.${digest}"`,
    'Last-Modified': new Date(dog.lastModified * 1000).toUTCString(),
  };
}

/**
 * Evaluates the preconditions of a GET or HEAD in the order that RFC 9110 defines.
 *
 * @param isUnchangedSince returns true if the representation has not changed since a time in Unix seconds. Called only if
 *   If-Modified-Since decides the response
 * @returns true if the client already has the representation. The response is then 304
 * @throws Problem 400 if If-Match or If-None-Match is neither `*` nor a list of entity tags
 * @throws Problem 412 if the condition in If-Match or If-Unmodified-Since is false
 * @throws any error of `isUnchangedSince`
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2 RFC 9110 section 13.2.2}
 */
export async function isNotModified(
  request: Request,
  { ETag, 'Last-Modified': lastModified }: ReturnType<typeof validatorsOf>,
  isUnchangedSince: (since: number) => Promise<boolean>,
): Promise<boolean> {
  const matches = (name: string, field: string, admits: (tag: EntityTag) => boolean = () => true) => {
    const tags = entityTags(name, field);
    return tags === 'any' || tags.some((tag) => admits(tag) && `"${tag.opaque}"` === ETag);
  };
  const ifMatch = request.header('If-Match');
  if (ifMatch !== undefined && !matches('If-Match', ifMatch, isStrong))
    throw new Problem(
      'precondition-failed',
      'The ETag of the dog does not match If-Match. GET the dog without If-Match.',
    );
  const unmodifiedSince = unmodifiedSinceOf(request);
  if (unmodifiedSince !== undefined && Date.parse(lastModified) > unmodifiedSince * 1000)
    throw new Problem(
      'precondition-failed',
      `The dog changed at ${lastModified}, after the date in If-Unmodified-Since. GET the dog without If-Unmodified-Since.`,
    );
  const ifNoneMatch = request.header('If-None-Match');
  if (ifNoneMatch !== undefined) return matches('If-None-Match', ifNoneMatch);
  const since = httpDate(request.header('If-Modified-Since') ?? '');
  return since !== undefined && isUnchangedSince(since);
}

/**
 * Returns the precondition that If-Match, If-None-Match and If-Unmodified-Since set for a change to a dog. Ignores
 * If-Unmodified-Since if it is not a valid date, or if the request has If-Match.
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
  const ifMatch = request.header('If-Match');
  const ifNoneMatch = request.header('If-None-Match');
  return {
    ...(ifMatch !== undefined && { match: statesOf(entityTags('If-Match', ifMatch), isStrong) }),
    ...(ifNoneMatch !== undefined && {
      noneMatch: statesOf(entityTags('If-None-Match', ifNoneMatch), () => true),
    }),
  };
}

interface EntityTag {
  readonly weak: boolean;
  readonly opaque: string;
}

/**
 * Returns true if a tag is strong. If-Match never matches a weak tag.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1 RFC 9110 section 13.1.1}
 */
function isStrong({ weak }: EntityTag): boolean {
  return !weak;
}

/**
 * The pattern of a list of entity tags. The list may have empty elements.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-5.6.1 RFC 9110 section 5.6.1}
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3 RFC 9110 section 8.8.3}
 */
const entityTagList = /^[\s,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"\s*(?:,[\s,]*|$))+$/;

function entityTags(name: string, field: string): EntityTag[] | 'any' {
  if (field.trim() === '*') return 'any';
  if (!entityTagList.test(field))
    throw new Problem(
      'invalid-entity-tag',
      `The ${name} header must be * or a list of entity tags in double quotes. Send the ETag of your last GET.`,
    );
  return [...field.matchAll(/(W\/)?"([^"]*)"/g)].map(([, weak, opaque = '']) => ({
    weak: weak !== undefined,
    opaque,
  }));
}

function statesOf(tags: EntityTag[] | 'any', admits: (tag: EntityTag) => boolean): DogState[] | 'any' {
  if (tags === 'any') return 'any';
  return tags.filter(admits).flatMap(({ opaque }) => {
    const [, incarnation, version] = /^([0-9A-Z]{26})\.([0-9]{1,15})\./.exec(opaque) ?? [];
    return incarnation && version ? [{ incarnation, version: Number(version) }] : [];
  });
}
