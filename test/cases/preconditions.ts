import { bytes, type Case, type CaseGroup, httpDate, json, notByFetch, type Refusal } from './case.ts';

/** Values that are not a list of entity tags. */
const malformed: readonly (readonly [value: string, more?: Partial<Case>])[] = [
  [' '],
  ['rex'],
  ['"rex'],
  ["'rex'"],
  ['W/rex'],
  ['w/"a"'],
  ['"a" "b"'],
  ['"a"b'],
  ['**'],
  ['*, "a"'],
  ['"a", *'],
  ['"a, b"'],
  ['"a\tb"'],
  ['"a\0"', { only: notByFetch }],
  ['"ä€"', { only: notByFetch }],
  ['"'.repeat(7_000)],
  [`${', '.repeat(3_500)}x`],
];

function malformedTag(name: string): Refusal {
  return {
    status: 400,
    problem: 'invalid-entity-tag',
    detail: `The ${name} header must be * or a list of entity tags in double quotes. Send the ETag of your last GET.`,
  };
}

/** An entity tag in the format of the service that no dog ever had. */
const foreignTag = '"01ARZ3NDEKTSV4RRFFQ69G5FAV.1.abcdefghijkl"';

const mismatch: Refusal = {
  status: 412,
  problem: 'precondition-failed',
  detail:
    'Dog "{dog}" does not meet the precondition in If-Match, If-None-Match or If-Unmodified-Since. GET the dog again.',
};

const requests: Readonly<Record<string, Partial<Case>>> = {
  GET: {},
  HEAD: {},
  PUT: { fields: json, body: bytes({ email: 'changed@example.com' }) },
  DELETE: {},
  PATCH: { fields: json, body: bytes({ barks: { next: 0 } }) },
};

/** Returns the requests whose preconditions are malformed or false. @param now Unix seconds */
export function refusedPreconditions(now: number): CaseGroup[] {
  const since = { 'If-Unmodified-Since': httpDate(now) };
  const requestOf = (
    method: string,
    name: string,
    value: string,
  ): Pick<Case, 'method' | 'path' | 'fields' | 'body'> => ({
    method,
    path: '',
    body: requests[method]?.body,
    fields: { ...requests[method]?.fields, ...(method === 'PATCH' && since), [name]: value },
  });
  const malformedFor = (method: string): Case[] =>
    ['If-Match', 'If-None-Match'].flatMap((name) =>
      malformed.map(([value, more]) => ({
        name: `${name}: ${JSON.stringify(value).slice(1, 30)}`,
        ...requestOf(method, name, value),
        ...malformedTag(name),
        ...(method === 'PATCH' && { status: 403 }),
        ...more,
      })),
    );
  const falseFor = (method: string): Case[] =>
    [
      ['If-Match with a tag that no dog had', 'If-Match', foreignTag],
      ['If-Match with a tag of another service', 'If-Match', '"rex"'],
      ['If-Match with a byte outside ASCII', 'If-Match', '"\xff"'],
      ['If-None-Match: *', 'If-None-Match', '*'],
      ['If-Unmodified-Since before the dog was created', 'If-Unmodified-Since', httpDate(now - 3600)],
    ].map(([title = '', name = '', value = '']) => ({
      name: title,
      ...requestOf(method, name, value),
      ...mismatch,
    }));
  return [
    ...['GET', 'PUT', 'DELETE', 'PATCH'].map(
      (method): CaseGroup => ({
        title: `${method} /v1/dogs/{id}, with a list of entity tags that is malformed,`,
        dogs: ['new'],
        cases: malformedFor(method),
      }),
    ),
    ...['PUT', 'DELETE'].map(
      (method): CaseGroup => ({
        title: `${method} /v1/dogs/{id}, with a precondition that is false,`,
        dogs: ['new'],
        cases: falseFor(method),
      }),
    ),
    {
      title: 'PUT /v1/dogs/{id} of a dog that does not exist',
      dogs: ['absent'],
      cases: ['*', foreignTag].map((value) => ({
        name: `If-Match: ${value}`,
        ...requestOf('PUT', 'If-Match', value),
        ...mismatch,
      })),
    },
    ...['GET', 'HEAD'].map(
      (method): CaseGroup => ({
        title: `${method} /v1/dogs/{id}, with a precondition that is false,`,
        dogs: ['new'],
        cases: [
          {
            name: 'If-Match with a tag that no dog had',
            ...requestOf(method, 'If-Match', foreignTag),
            status: 412,
            problem: 'precondition-failed',
            detail: 'The ETag of the dog does not match If-Match. GET the dog without If-Match.',
          },
          {
            name: 'If-Unmodified-Since before the dog was created',
            ...requestOf(method, 'If-Unmodified-Since', httpDate(now - 3600)),
            status: 412,
            problem: 'precondition-failed',
            detail: `The dog changed at ${httpDate(now)}, after the date in If-Unmodified-Since. GET the dog without If-Unmodified-Since.`,
          },
        ],
      }),
    ),
  ];
}
