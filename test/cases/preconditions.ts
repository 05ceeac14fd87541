import { type Case, type CaseGroup, httpDate, notByFetch, type Only, type Refusal } from './case.ts';

/** Values that are not a list of entity tags. */
const malformed: readonly (readonly [value: string, only?: Only])[] = [
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
  ['"a\tb"'],
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

function caseOf(
  method: string,
  [name, field, value]: readonly [string, string, string],
): Omit<Case, 'status'> {
  return { name, request: `${method} {dog}`, fields: { [field]: value }, body: bodies[method] };
}

function malformedTags(method: string): CaseGroup {
  const cases = ['If-Match', 'If-None-Match'].flatMap((field) =>
    malformed.map(
      ([value, only]): Case => ({
        ...caseOf(method, [`${field}: ${JSON.stringify(value).slice(1, 30)}`, field, value]),
        status: method === 'PATCH' ? 403 : 400,
        problem: 'invalid-entity-tag',
        detail: `The ${field} header must be * or a list of entity tags in double quotes. Send the ETag of your last GET.`,
        ...(only && { only }),
      }),
    ),
  );
  return { title: `${method} {dog} with malformed entity tags`, dogs: ['new'], cases };
}

/** Returns the requests whose preconditions are malformed or false. @param now Unix seconds */
export function refusedPreconditions(now: number): CaseGroup[] {
  const falseOf = (detail: string): Refusal => ({ status: 412, problem: 'precondition-failed', detail });
  const changed = falseOf(
    'Dog "{id}" does not meet the precondition in If-Match, If-None-Match or If-Unmodified-Since. GET the dog again.',
  );
  const otherTag = falseOf('The ETag of the dog does not match If-Match. GET the dog without If-Match.');
  const otherDate = falseOf(
    `The dog changed at ${httpDate(now)}, after the date in If-Unmodified-Since. GET the dog without If-Unmodified-Since.`,
  );
  const foreign = ['If-Match with a tag that no dog had', 'If-Match', foreignTag] as const;
  const early = ['a date before the dog was created', 'If-Unmodified-Since', httpDate(now - 3_600)] as const;
  const any = ['If-Match: *', 'If-Match', '*'] as const;
  const falseForChanges = [
    foreign,
    ['If-Match with a tag of another service', 'If-Match', '"rex"'],
    ['If-Match with a byte outside ASCII', 'If-Match', '"\xff"'],
    ['If-None-Match: *', 'If-None-Match', '*'],
    early,
  ] as const;
  return [
    ...['GET', 'PUT', 'DELETE', 'PATCH'].map(malformedTags),
    ...['PUT', 'DELETE'].map(
      (method): CaseGroup => ({
        title: `${method} {dog} with a precondition that is false`,
        dogs: ['new'],
        cases: falseForChanges.map((one) => ({ ...caseOf(method, one), ...changed })),
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
  ];
}
