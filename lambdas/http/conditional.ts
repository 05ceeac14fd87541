import { hash } from 'node:crypto';
import type { Dog } from '../domain/dog.ts';
import type { DogState, Precondition } from '../domain/dogs.ts';
import { Problem } from './problem.ts';
import type { Request } from './request.ts';

/**
 * The validators of a dog's representation. The entity tag (RFC 9110 section 8.8.3) is made of the state of the dog,
 * which is what If-Match compares, and of a digest of the representation, which also shows what is read beside the dog.
 */
export function validatorsOf(dog: Dog, representation: object): { ETag: string; 'Last-Modified': string } {
  const digest = hash('sha256', JSON.stringify(representation), 'base64url').slice(0, 12);
  return {
    ETag: `"${dog.life}.${dog.version}.${digest}"`,
    'Last-Modified': new Date(dog.lastModified * 1000).toUTCString(),
  };
}

/** True if If-None-Match names the tag: the client has this representation already. */
export function isFresh(request: Request, tag: string): boolean {
  const field = request.header('If-None-Match');
  if (field === undefined) return false;
  const tags = entityTags('If-None-Match', field);
  return tags === 'any' || tags.some(({ opaque }) => `"${opaque}"` === tag);
}

/**
 * What If-Match and If-None-Match demand of a dog that is to be changed.
 *
 * @throws Problem 400 if one of them is not a list of entity tags
 */
export function preconditionOf(request: Request): Precondition {
  const ifMatch = request.header('If-Match');
  const ifNoneMatch = request.header('If-None-Match');
  return {
    // If-Match compares strongly: a weak tag matches nothing (RFC 9110 section 13.1.1).
    ...(ifMatch !== undefined && { match: statesOf(entityTags('If-Match', ifMatch), ({ weak }) => !weak) }),
    ...(ifNoneMatch !== undefined && {
      noneMatch: statesOf(entityTags('If-None-Match', ifNoneMatch), () => true),
    }),
  };
}

interface EntityTag {
  readonly weak: boolean;
  readonly opaque: string;
}

/** RFC 9110 sections 5.6.1 and 8.8.3: a list may have empty elements. */
const entityTagList = /^[\s,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"\s*(?:,[\s,]*|$))+$/;

function entityTags(name: string, field: string): EntityTag[] | 'any' {
  if (field.trim() === '*') return 'any';
  if (!entityTagList.test(field))
    throw new Problem(
      400,
      `${name} must be * or a list of entity tags in double quotes, as ETag gives them.`,
    );
  return [...field.matchAll(/(W\/)?"([^"]*)"/g)].map(([, weak, opaque = '']) => ({
    weak: weak !== undefined,
    opaque,
  }));
}

function statesOf(tags: EntityTag[] | 'any', admits: (tag: EntityTag) => boolean): DogState[] | 'any' {
  if (tags === 'any') return 'any';
  return tags.filter(admits).flatMap(({ opaque }) => {
    const [, life, version] = /^([0-9A-Z]{26})\.([0-9]{1,15})\./.exec(opaque) ?? [];
    return life && version ? [{ life, version: Number(version) }] : [];
  });
}
