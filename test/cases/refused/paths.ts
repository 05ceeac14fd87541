import type { Capability } from '../../support/capabilities.ts';
import { type Case, type CaseGroup, type Refusal, tooLarge } from './case.ts';

const paths = [
  '/v1',
  '/v1/cats/',
  '/v2/dogs/',
  '/v1/dogs/rex/bark-now',
  '/v1/dogs/rex/barks/s01/echo',
  '/dogs/rex/',
  '/constructor',
];

const unknownPaths: CaseGroup = {
  title: 'A path that does not exist',
  dogs: ['new'],
  cases: paths.flatMap((path) =>
    ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'].map((method) => ({
      request: `${method} ${path}`,
      status: 404,
      problem: 'path-not-found' as const,
      detail: `There is no resource at ${path}.`,
    })),
  ),
};

/** The paths, the methods that they do not support, and those that they support. */
const methods: readonly (readonly [path: string, unsupported: string, supported: string])[] = [
  ['/openapi.json', 'POST PUT DELETE PATCH OPTIONS', 'GET or HEAD'],
  ['/', 'POST PUT DELETE PATCH OPTIONS', 'GET or HEAD'], // @extension console
  ['/v1/dogs', 'OPTIONS', 'GET or HEAD'],
  ['/v1/dogs/', 'POST PUT DELETE PATCH OPTIONS', 'GET or HEAD'],
  ['/v1/dogs/{id}', 'OPTIONS', 'DELETE, GET, HEAD, PATCH or PUT'],
  ['/v1/dogs/{id}/', 'POST OPTIONS', 'DELETE, GET, HEAD, PATCH or PUT'],
  ['/v1/dogs/{id}/bark', 'PUT PATCH OPTIONS', 'DELETE, GET, HEAD or POST'],
  ['/v1/dogs/{id}/bark-schedule', 'PUT PATCH OPTIONS', 'DELETE, GET, HEAD or POST'],
  ['/v1/dogs/{id}/barks', 'PUT DELETE PATCH OPTIONS', 'GET, HEAD or POST'],
  ['/v1/dogs/{id}/barks/x', 'POST PUT PATCH OPTIONS', 'DELETE, GET or HEAD'],
];

const unsupportedMethods: CaseGroup = {
  title: 'A method that the path does not support',
  dogs: ['new', 'absent'],
  cases: methods.flatMap(([path, unsupported, supported]) =>
    unsupported.split(' ').map((method) => ({
      request: `${method} ${path}`,
      body: method === 'OPTIONS' ? undefined : {},
      status: 405,
      problem: 'method-not-allowed' as const,
      detail: `${path} does not support ${method}. Use ${supported}.`,
      headers: { Allow: supported.replace(' or ', ', ') },
    })),
  ),
};

type Id = readonly [encoded: string, id: string, needs?: Capability];

/** Invalid IDs, as they appear in a path, and decoded. */
const invalidIds: readonly Id[] = [
  ['a.b', 'a.b'],
  ['%20', ' '],
  ['x'.repeat(41), 'x'.repeat(41)],
  ['a%2Fb', 'a/b', '%2F in a path'],
  ['a%0d%0aX-Injected:%20yes', 'a\r\nX-Injected: yes', '%0D%0A in a path'],
  ['%F0%9F%90%B6', '🐶'],
];

const bark = 'barks/s01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** A valid request for each operation on a dog except PUT: the method, the path below the dog, and the body. */
const operations: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['GET', ''],
  ['HEAD', ''],
  ['DELETE', ''],
  ['PATCH', '', { barks: { next: 0 } }],
  ['GET', 'barks'],
  ['HEAD', 'barks'],
  ['POST', 'barks'],
  ['GET', bark],
  ['HEAD', bark],
  ['DELETE', bark],
  ['GET', 'bark'],
  ['HEAD', 'bark'],
  ['POST', 'bark'],
  ['DELETE', 'bark'],
  ['GET', 'bark-schedule'],
  ['HEAD', 'bark-schedule'],
  ['POST', 'bark-schedule', { token: 1, next: 0 }],
  ['DELETE', 'bark-schedule'],
];

function noDog(path: string, id: string, needs?: Capability): Case[] {
  return operations.map(([method, below, body]) => ({
    request: `${method} ${path}${below}`,
    body,
    status: 404,
    problem: 'dog-not-found',
    detail: `There is no dog "${id}".`,
    needs,
  }));
}

const unknownDogs: CaseGroup = {
  title: 'A dog that does not exist',
  dogs: ['absent'],
  cases: noDog('{dog}', '{id}'),
};

const dogsWithInvalidIds: CaseGroup = {
  title: 'A dog with an invalid ID',
  dogs: ['new'],
  cases: invalidIds
    .flatMap(([encoded, id, needs]) => noDog(`/v1/dogs/${encoded}/`, id, needs))
    .filter(({ request }) => !request.startsWith('HEAD ')),
};

const request = 'PUT /v1/dogs/a.b/';
const largeBody = ' '.repeat(65_537);
const plainText = { 'Content-Type': 'text/plain' };

const invalidPuts: CaseGroup = {
  title: 'PUT of a dog with an invalid ID',
  dogs: ['new'],
  cases: [
    ...invalidIds.map(
      ([encoded, id, needs]): Case => ({
        request: `PUT /v1/dogs/${encoded}/`,
        needs,
        body: {},
        status: 422,
        problem: 'invalid-dog-id',
        detail: `"${id}" is not a valid ID for a dog. An ID has 1 to 40 characters: letters, digits, - and _.`,
      }),
    ),
    { name: '65,537 bytes', request, body: largeBody, ...tooLarge(65_537) },
    {
      ...{ name: 'text', request, body: '{', fields: plainText },
      status: 415,
      problem: 'unsupported-media-type',
      detail: 'The request body must be JSON. Send it with Content-Type: application/json.',
    },
    {
      ...{ name: 'an unclosed brace', request, body: '{' },
      status: 400,
      problem: 'invalid-json',
      detail: 'The request body is not valid JSON: unexpected end of input at line 1, column 2.',
    },
  ],
};

const unknownBarkIds: readonly Id[] = [
  ['s01ARZ3NDEKTSV4RRFFQ69G5FAV', 's01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ['a01ARZ3NDEKTSV4RRFFQ69G5FAV', 'a01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ['x', 'x'],
  ['b%2301ARZ3NDEKTSV4RRFFQ69G5FAV', 'b#01ARZ3NDEKTSV4RRFFQ69G5FAV'],
];

const unknownBarks: CaseGroup = {
  title: 'A bark that does not exist',
  dogs: ['new'],
  cases: [...unknownBarkIds, ...invalidIds].flatMap(([encoded, id, needs]) =>
    ['GET', 'DELETE'].map((method) => ({
      request: `${method} {dog}barks/${encoded}`,
      needs,
      status: 404,
      problem: 'bark-not-found' as const,
      detail: `There is no bark "${id}".`,
    })),
  ),
};

const noLastBark: Refusal = {
  status: 404,
  problem: 'no-last-bark',
  detail: 'No bark of dog "{id}" has been counted or recorded yet.',
};
const noSchedule: Refusal = {
  status: 404,
  problem: 'bark-schedule-not-found',
  detail: 'Dog "{id}" has never had a bark schedule.',
};

const resourcesOfNewDogs: CaseGroup = {
  title: 'A dog that has never barked and never had a schedule',
  dogs: ['new'],
  cases: [
    ...['GET', 'HEAD'].map((method) => ({ request: `${method} {dog}bark`, ...noLastBark })),
    ...['GET', 'HEAD', 'DELETE'].map((method) => ({
      request: `${method} {dog}bark-schedule`,
      ...noSchedule,
    })),
  ],
};

const notFound: Refusal = {
  status: 404,
  problem: 'path-not-found',
  detail: 'There is no resource at /v1/dogs/{id}/paws.',
};
const notAllowed: Refusal = {
  status: 405,
  problem: 'method-not-allowed',
  detail: '/v1/dogs/{id}/ does not support POST. Use DELETE, GET, HEAD, PATCH or PUT.',
};

/** An error of the path takes precedence over an error of the body. */
const pathBeforeBody: CaseGroup = {
  title: 'An unsupported path or method with an invalid body',
  dogs: ['new'],
  cases: [
    { name: 'a path and plain text', request: 'POST {dog}paws', body: 'x', fields: plainText, ...notFound },
    { name: 'a path and 65,537 bytes', request: 'POST {dog}paws', body: largeBody, ...notFound },
    { name: 'a method and plain text', request: 'POST {dog}', body: 'x', fields: plainText, ...notAllowed },
    { name: 'a method and 65,537 bytes', request: 'POST {dog}', body: largeBody, ...notAllowed },
  ],
};

export const refusedPaths: readonly CaseGroup[] = [
  unknownPaths,
  unsupportedMethods,
  unknownDogs,
  dogsWithInvalidIds,
  invalidPuts,
  unknownBarks,
  resourcesOfNewDogs,
  pathBeforeBody,
];
