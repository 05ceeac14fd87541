import { bytes, type Case, type CaseGroup, httpDate, json, type Refusal } from './case.ts';

const unknownPaths = [
  '/v1',
  '/v1/cats/',
  '/v2/dogs/',
  '/V1/dogs/',
  '/v1/dogs/rex/bark-now',
  '/v1/dogs/rex/barks/s01/echo',
  '/dogs/rex/',
  '/constructor',
];

const pathsThatDoNotExist: CaseGroup = {
  title: 'A path that does not exist',
  dogs: ['new'],
  cases: unknownPaths.flatMap((path) =>
    ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'].map((method) => ({
      name: `${method} ${path}`,
      method,
      path,
      status: 404,
      problem: 'path-not-found' as const,
      detail: `There is no resource at ${path}.`,
    })),
  ),
};

/** The paths, the methods that they do not support, and those that they support. */
const unsupportedMethods: readonly (readonly [path: string, unsupported: string, supported: string])[] = [
  ['/', 'POST PUT DELETE PATCH OPTIONS', 'GET or HEAD'],
  ['/v1/dogs', 'OPTIONS', 'GET or HEAD'],
  ['/v1/dogs/', 'POST PUT DELETE PATCH OPTIONS', 'GET or HEAD'],
  ['/v1/dogs/{dog}', 'OPTIONS', 'DELETE, GET, HEAD, PATCH or PUT'],
  ['/v1/dogs/{dog}/', 'POST OPTIONS', 'DELETE, GET, HEAD, PATCH or PUT'],
  ['/v1/dogs/{dog}/bark', 'PUT PATCH OPTIONS', 'DELETE, GET, HEAD or POST'],
  ['/v1/dogs/{dog}/bark-schedule', 'PUT PATCH OPTIONS', 'DELETE, GET, HEAD or POST'],
  ['/v1/dogs/{dog}/barks', 'PUT DELETE PATCH OPTIONS', 'GET, HEAD or POST'],
  ['/v1/dogs/{dog}/barks/x', 'POST PUT PATCH OPTIONS', 'DELETE, GET or HEAD'],
];

const methodsThatAreNotSupported: CaseGroup = {
  title: 'A method that the path does not support',
  dogs: ['new', 'absent'],
  cases: unsupportedMethods.flatMap(([path, unsupported, supported]) =>
    unsupported.split(' ').map((method) => ({
      name: `${method} ${path}`,
      method,
      path,
      ...(method !== 'OPTIONS' && { fields: json, body: bytes({}) }),
      status: 405,
      problem: 'method-not-allowed' as const,
      detail: `${path} does not support ${method}. Use ${supported}.`,
      headers: { Allow: supported.replace(' or ', ', ') },
    })),
  ),
};

/** IDs that no dog has, as they are in a path, and decoded. All but the first are invalid. */
const ids: readonly (readonly [encoded: string, id: string])[] = [
  ['no-such-dog', 'no-such-dog'],
  ['a.b', 'a.b'],
  ['a%20b', 'a b'],
  ['%20', ' '],
  ['x'.repeat(41), 'x'.repeat(41)],
  ['a%2Fb', 'a/b'],
  ['a%00', 'a\0'],
  ['a%0d%0aX-Injected:%20yes', 'a\r\nX-Injected: yes'],
  ['%C3%A4', 'ä'],
  ['%E2%80%A6', '…'],
  ['%F0%9F%90%B6', '🐶'],
];

const bark = 's01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** Returns a valid request for each operation on a dog except PUT. @param now Unix seconds */
function operations(now: number): readonly Pick<Case, 'method' | 'path' | 'fields' | 'body'>[] {
  const schedule = { fields: json, body: bytes({ token: 1, next: 0 }) };
  const patch = {
    fields: { ...json, 'If-Unmodified-Since': httpDate(now) },
    body: bytes({ barks: { next: 0 } }),
  };
  return [
    { method: 'GET', path: '' },
    { method: 'HEAD', path: '' },
    { method: 'DELETE', path: '' },
    { method: 'PATCH', path: '', ...patch },
    { method: 'GET', path: 'barks' },
    { method: 'HEAD', path: 'barks' },
    { method: 'POST', path: 'barks' },
    { method: 'GET', path: `barks/${bark}` },
    { method: 'HEAD', path: `barks/${bark}` },
    { method: 'DELETE', path: `barks/${bark}` },
    { method: 'GET', path: 'bark' },
    { method: 'HEAD', path: 'bark' },
    { method: 'POST', path: 'bark' },
    { method: 'DELETE', path: 'bark' },
    { method: 'GET', path: 'bark-schedule' },
    { method: 'HEAD', path: 'bark-schedule' },
    { method: 'POST', path: 'bark-schedule', ...schedule },
    { method: 'DELETE', path: 'bark-schedule' },
  ];
}

function dogsThatDoNotExist(now: number): CaseGroup {
  return {
    title: 'A dog that does not exist',
    dogs: ['new'],
    cases: ids.flatMap(([encoded, id]) =>
      operations(now).map((operation) => ({
        name: `${operation.method} /v1/dogs/${encoded}/${operation.path}`,
        ...operation,
        path: `/v1/dogs/${encoded}/${operation.path}`,
        status: 404,
        problem: 'dog-not-found' as const,
        detail: `There is no dog "${id}".`,
      })),
    ),
  };
}

const invalidIds = ids.slice(1);

const tooLarge: Refusal = { status: 413, problem: 'body-too-large' };

const putOfInvalidIds: CaseGroup = {
  title: 'PUT of a dog with an invalid ID',
  dogs: ['new'],
  cases: [
    ...invalidIds.map(
      ([encoded, id]): Case => ({
        name: `the ID ${encoded}`,
        method: 'PUT',
        path: `/v1/dogs/${encoded}/`,
        fields: json,
        body: bytes({}),
        status: 422,
        problem: 'invalid-dog-id',
        detail: `"${id}" is not a valid ID for a dog. An ID has 1 to 40 characters: letters, digits, - and _.`,
      }),
    ),
    ...(
      [
        ['a body of 65,537 bytes', ' '.repeat(65_537), 'application/json', tooLarge],
        ['another content type', '{', 'text/plain', { status: 415, problem: 'unsupported-media-type' }],
        ['text that is not JSON', '{', 'application/json', { status: 400, problem: 'invalid-json' }],
      ] as const
    ).map(([name, body, type, refusal]) => ({
      name: `the ID a.b and ${name}`,
      method: 'PUT',
      path: '/v1/dogs/a.b/',
      fields: { 'Content-Type': type },
      body: bytes(body),
      ...refusal,
    })),
  ],
};

const barkIds: readonly (readonly [encoded: string, id: string])[] = [
  [bark, bark],
  ['a01ARZ3NDEKTSV4RRFFQ69G5FAV', 'a01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ['s01ARZ3NDEKTSV4RRFFQ69G5FAVX', 's01ARZ3NDEKTSV4RRFFQ69G5FAVX'],
  ['x', 'x'],
  ['%23', '#'],
  ['b%2301ARZ3NDEKTSV4RRFFQ69G5FAV', 'b#01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ...invalidIds,
];

const barksThatDoNotExist: CaseGroup = {
  title: 'A bark that does not exist',
  dogs: ['new'],
  cases: barkIds.flatMap(([encoded, id]) =>
    ['GET', 'DELETE'].map((method) => ({
      name: `${method} /v1/dogs/{id}/barks/${encoded}`,
      method,
      path: `barks/${encoded}`,
      status: 404,
      problem: 'bark-not-found' as const,
      detail: `There is no bark "${id}".`,
    })),
  ),
};

const resourcesOfANewDog: CaseGroup = {
  title: 'A dog that has never barked and never had a schedule',
  dogs: ['new'],
  cases: [
    ...['GET', 'HEAD'].map((method) => ({
      name: `${method} /v1/dogs/{id}/bark`,
      method,
      path: 'bark',
      status: 404,
      problem: 'no-last-bark' as const,
      detail: 'Dog "{dog}" has not barked yet.',
    })),
    ...['GET', 'HEAD', 'DELETE'].map((method) => ({
      name: `${method} /v1/dogs/{id}/bark-schedule`,
      method,
      path: 'bark-schedule',
      status: 404,
      problem: 'bark-schedule-not-found' as const,
      detail: 'Dog "{dog}" has never had a bark schedule.',
    })),
  ],
};

/** An error of the path takes precedence over an error of the body. */
const pathBeforeBody: CaseGroup = {
  title: 'A request with an unsupported path or method and an invalid body',
  dogs: ['new'],
  cases: (
    [
      ['paws', { status: 404, problem: 'path-not-found' }],
      ['', { status: 405, problem: 'method-not-allowed' }],
    ] as const
  ).flatMap(([path, refusal]) =>
    (
      [
        ['text', 'x', 'text/plain'],
        ['65,537 bytes', ' '.repeat(65_537), 'application/json'],
      ] as const
    ).map(([name, body, type]) => ({
      name: `POST /v1/dogs/{id}/${path} of ${name}`,
      method: 'POST',
      path,
      fields: { 'Content-Type': type },
      body: bytes(body),
      ...refusal,
    })),
  ),
};

/** Returns the requests for resources that do not exist, and with methods that a path does not support. @param now Unix seconds */
export function refusedPaths(now: number): CaseGroup[] {
  return [
    pathsThatDoNotExist,
    methodsThatAreNotSupported,
    dogsThatDoNotExist(now),
    putOfInvalidIds,
    barksThatDoNotExist,
    resourcesOfANewDog,
    pathBeforeBody,
  ];
}
