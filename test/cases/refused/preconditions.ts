import {
  type Case,
  type CaseGroup,
  type DogKind,
  httpDate,
  notByFetch,
  type Only,
  type Refusal,
} from './case.ts';

/** Values that are not a list of entity tags. */
const malformed: readonly (readonly [value: string, only?: Only])[] = [
  [' '],
  ['rex'],
  ["'rex'"],
  ['w/"a"'],
  ['"a"b'],
  ['*, "a"'],
  ['"a", *'],
  ['"a\0"', notByFetch],
  ['"ä€"', notByFetch],
  ['"'.repeat(7_000)],
  [`${', '.repeat(3_500)}x`],
];

/** An entity tag in the format of the service that no dog ever had. */
const foreignTag = '"01ARZ3NDEKTSV4RRFFQ69G5FAV.1.abcdefghijkl"';

const bodies: Readonly<Record<string, unknown>> = {
  PUT: { email: 'changed@example.com' },
  PATCH: { barks: { next: 0 } },
};

type Named = readonly [name: string, field: string, value: string];

function caseOf(method: string, [name, field, value]: Named): Omit<Case, 'status'> {
  return { name, request: `${method} {dog}`, fields: { [field]: value }, body: bodies[method] };
}

const any = ['If-Match: *', 'If-Match', '*'] as const;
const none = ['If-None-Match: *', 'If-None-Match', '*'] as const;
const foreign = ['If-Match with a tag that no dog had', 'If-Match', foreignTag] as const;
const otherService = ['If-Match with a tag of another service', 'If-Match', '"rex"'] as const;

const newSchedule = { token: 2, next: 0, frequency: 10 };

/** Requests for resources other than dogs, with false preconditions. @param early a date before the resources' creation */
const others = (early: Named): readonly [request: string, dog: DogKind, named: readonly Named[]][] => [
  ['DELETE {dog}bark-schedule', 'scheduled', [foreign, none, early]],
  ['POST {dog}bark-schedule', 'scheduled', [foreign, none, early]],
  ['POST {dog}bark-schedule', 'new', [any, foreign]],
  ['POST {dog}barks', 'new', [foreign, none]],
  ['POST {dog}bark', 'new', [foreign, any]],
  ['DELETE {dog}bark', 'new', [foreign, any]],
];

const invalidTag = (field: string): Pick<Refusal, 'problem' | 'detail'> => ({
  problem: 'invalid-entity-tag',
  detail: `The ${field} header must be * or a list of entity tags in double quotes. Send the ETag of your last GET.`,
});

function malformedTags(method: 'GET' | 'PATCH'): CaseGroup {
  const cases = ['If-Match', 'If-None-Match'].flatMap((field) =>
    malformed.map(
      ([value, only]): Case => ({
        ...caseOf(method, [`${field}: ${JSON.stringify(value).slice(1, 30)}`, field, value]),
        status: method === 'PATCH' ? 403 : 400,
        ...invalidTag(field),
        ...(only && { only }),
      }),
    ),
  );
  return { title: `${method} {dog} with malformed entity tags`, dogs: ['new'], cases };
}

/** The requests that change something and evaluate If-Match, with a malformed one. */
const malformedMatches: CaseGroup = {
  title: 'If-Match without quotes',
  dogs: ['scheduled'],
  cases: [
    ...['PUT {dog}', 'DELETE {dog}', 'POST {dog}bark-schedule', 'DELETE {dog}bark-schedule'],
    ...['POST {dog}barks', 'POST {dog}bark', 'DELETE {dog}bark'],
  ].map((request) => ({
    request,
    fields: { 'If-Match': 'rex' },
    body: request.startsWith('PUT') ? {} : request.startsWith('POST {dog}bark-s') ? newSchedule : undefined,
    status: 400,
    ...invalidTag('If-Match'),
  })),
};

/** Returns the requests whose preconditions are malformed or false. @param now Unix seconds */
export function refusedPreconditions(now: number): CaseGroup[] {
  const falseOf = (detail: string): Refusal => ({ status: 412, problem: 'precondition-failed', detail });
  const changed = falseOf(
    'The resource does not meet the precondition in If-Match, If-None-Match or If-Unmodified-Since. GET it again.',
  );
  const otherTag = falseOf(
    'The ETag of the resource does not match If-Match. GET the resource without If-Match.',
  );
  const otherDate = falseOf(
    `The resource changed at ${httpDate(now)}, after the date in If-Unmodified-Since. GET the resource without If-Unmodified-Since.`,
  );
  const early = ['a date before the dog was created', 'If-Unmodified-Since', httpDate(now - 3_600)] as const;
  return [
    ...(['GET', 'PATCH'] as const).map(malformedTags),
    malformedMatches,
    ...['PUT', 'DELETE'].map(
      (method): CaseGroup => ({
        title: `${method} {dog} with a precondition that is false`,
        dogs: ['new'],
        cases: [foreign, otherService, none, early].map((one) => ({ ...caseOf(method, one), ...changed })),
      }),
    ),
    {
      title: 'PUT {dog} of a dog that does not exist',
      dogs: ['absent'],
      cases: [any, foreign].map((one) => ({ ...caseOf('PUT', one), ...changed })),
    },
    ...['GET', 'HEAD'].map(
      (method): CaseGroup => ({
        title: `${method} {dog} with a precondition that is false`,
        dogs: ['new'],
        cases: [
          { ...caseOf(method, foreign), ...otherTag },
          { ...caseOf(method, early), ...otherDate },
        ],
      }),
    ),
    ...others(early).map(
      ([request, dog, named]): CaseGroup => ({
        title: `${request} of a dog that is ${dog}, with a precondition that is false`,
        dogs: [dog],
        cases: named.map((one) => ({
          ...caseOf('POST', one),
          request,
          body: request === 'POST {dog}bark-schedule' ? newSchedule : undefined,
          ...changed,
        })),
      }),
    ),
  ];
}
