import {
  bytes,
  type Case,
  type CaseGroup,
  httpDate,
  type InvalidDocument,
  invalidDocuments,
  json,
  type Refusal,
} from './case.ts';
import { invalidFrequencies, invalidTimes, rules } from './schedules.ts';

const valid = { barks: { next: 0, frequency: 10 } };

function setByPut(name: string, field: string, value: unknown): InvalidDocument {
  return [
    name,
    { ...valid, [field]: value },
    { [`/${field}`]: 'cannot be changed with PATCH; change it with PUT' },
  ];
}

function invalidPatches(now: number): readonly InvalidDocument[] {
  return [
    ['barks that are an array', { barks: [0, 10] }, { '/barks': 'must be a JSON object' }],
    ['barks that are a number', { barks: 0 }, { '/barks': 'must be a JSON object' }],
    ['barks that are false', { barks: false }, { '/barks': 'must be a JSON object' }],
    [
      'barks that are an array 30,000 deep',
      `{"barks":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      { '/barks': 'must be a JSON object' },
    ],
    ['an unknown field next to barks', { ...valid, loud: true }, { '/loud': 'is not a known field' }],
    [
      'an unknown field of barks',
      { barks: { next: 0, loud: true } },
      { '/barks/loud': 'is not a known field' },
    ],
    ['a token', { barks: { token: 1, next: 0 } }, { '/barks/token': 'is not a known field' }],
    [
      'the key __proto__ in barks',
      '{"barks":{"__proto__":{"next":0},"next":0}}',
      { '/barks/__proto__': 'is not a known field' },
    ],
    [
      'next that is null',
      { barks: { next: null, frequency: 10 } },
      { '/barks/next': 'must not be null; send {"barks": null} to end the schedule' },
    ],
    [
      'two invalid members',
      { barks: { next: 'now', frequency: 'often' } },
      { '/barks/next': rules.time, '/barks/frequency': rules.frequency },
    ],
    [
      'an owner and two invalid members',
      { owner: 'me', barks: { next: -1, frequency: 'often' } },
      {
        '/owner': 'cannot be changed with PATCH; change it with PUT',
        '/barks/next': rules.notNegative,
        '/barks/frequency': rules.frequency,
      },
    ],
    setByPut('an email', 'email', 'rex@example.com'),
    setByPut('an owner', 'owner', 'mailto:rex@example.com'),
    setByPut('an owner that is null', 'owner', null),
    setByPut('effects', 'barkEffects', ['count']),
    setByPut('a bark handling', 'barkHandling', 'async'),
    ['another ID', { ...valid, id: 'other' }, { '/id': 'must be absent or "{dog}", the ID in the path' }],
    ...invalidTimes(now).map(
      ([name, next, error]): InvalidDocument => [
        name,
        `{"barks":{"next":${next}}}`,
        { '/barks/next': error },
      ],
    ),
    ...invalidFrequencies.map(
      ([name, frequency]): InvalidDocument => [
        name,
        `{"barks":{"next":0,"frequency":${frequency}}}`,
        { '/barks/frequency': rules.frequency },
      ],
    ),
  ];
}

/** Returns the headers of a PATCH that lead to a refusal, and the responses. */
function invalidHeaders(
  now: number,
): readonly (readonly [name: string, fields: Case['fields'], refusal: Refusal])[] {
  const example = `Send the Date or the Last-Modified of your last GET, for example: ${httpDate(now)}.`;
  const noDate = (date: string): Refusal => ({
    status: 403,
    problem: 'invalid-date',
    detail: `The If-Unmodified-Since header "${date}" is not an HTTP date. ${example}`,
  });
  const dates = {
    'an empty date': '',
    'a date in words': 'yesterday',
    'a date in ISO 8601': new Date(now * 1000).toISOString(),
    'a date in Unix seconds': String(now),
    'a date that does not exist': 'Tue, 31 Feb 2026 12:00:00 GMT',
    'a time that does not exist': 'Sat, 21 Nov 2026 25:00:00 GMT',
    'two dates': 'Sat, 21 Nov 2026 12:00:00 GMT, Sat, 21 Nov 2026 12:00:00 GMT',
  };
  return [
    [
      'a request without a date',
      {},
      {
        status: 403,
        problem: 'missing-date',
        detail: `The If-Unmodified-Since header is missing. ${example}`,
      },
    ],
    ...Object.entries(dates).map(
      ([name, date]) => [name, { 'If-Unmodified-Since': date || ' ' }, noDate(date)] as const,
    ),
    [
      'a date in the future',
      { 'If-Unmodified-Since': httpDate(now + 360) },
      {
        status: 403,
        problem: 'date-in-future',
        detail: `The If-Unmodified-Since date of this request (${httpDate(now + 360)}) is more than five minutes ahead of the service's clock (${httpDate(now)}). Send the Date or the Last-Modified of your last GET.`,
      },
    ],
    [
      'a date before the dog was created',
      { 'If-Unmodified-Since': httpDate(now - 120) },
      {
        status: 403,
        problem: 'dog-modified',
        detail: `A client changed the dog at ${httpDate(now)}. This is later than the If-Unmodified-Since date of this request (${httpDate(now - 120)}). GET the dog again. If you still want the change, send the patch with the Last-Modified of that response.`,
      },
    ],
    [
      'an If-Match with a tag that no dog has',
      { 'If-Unmodified-Since': httpDate(now), 'If-Match': '"rex"' },
      {
        status: 403,
        problem: 'precondition-failed',
        detail:
          'Dog "{dog}" does not meet the precondition in If-Match, If-None-Match or If-Unmodified-Since. GET the dog again.',
      },
    ],
  ];
}

/** Returns the requests with an invalid body and another defect, which determines the response. */
function firstErrors(now: number): Case[] {
  const since = { 'If-Unmodified-Since': httpDate(now) };
  const cases: readonly (readonly [name: string, fields: Case['fields'], refusal: Refusal])[] = [
    [
      'an If-Match that fails',
      { ...since, ...json, 'If-Match': '"other"' },
      { status: 403, problem: 'invalid-json' },
    ],
    [
      'a date before the last change',
      { ...json, 'If-Unmodified-Since': httpDate(now - 86_400) },
      { status: 403, problem: 'invalid-json' },
    ],
    [
      'another content type',
      { ...since, 'Content-Type': 'text/plain' },
      { status: 403, problem: 'unsupported-media-type' },
    ],
    [
      'an invalid If-Match',
      { ...since, ...json, 'If-Match': 'other' },
      { status: 403, problem: 'invalid-entity-tag' },
    ],
    ['an invalid date', { ...json, 'If-Unmodified-Since': 'x' }, { status: 403, problem: 'invalid-date' }],
  ];
  return cases.map(([name, fields = {}, refusal]) => ({
    name: `a body that is not JSON and ${name}`,
    method: 'PATCH',
    path: '',
    body: bytes('{"barks":'),
    fields,
    ...refusal,
  }));
}

const missingNext = { '/barks/next': 'is required, because no bark is scheduled' };

/** Returns the patches that the service refuses. @param now Unix seconds */
export function refusedPatches(now: number): CaseGroup[] {
  const operation = { method: 'PATCH', path: '' };
  const since = { 'If-Unmodified-Since': httpDate(now) };
  const forbidden = (documents: readonly InvalidDocument[]) =>
    invalidDocuments(operation, documents).map((one) => ({
      ...one,
      status: 403,
      fields: { ...one.fields, ...since },
    }));
  const absent = { status: 404, problem: 'dog-not-found', detail: 'There is no dog "{dog}".' } as const;
  return [
    {
      title: 'PATCH /v1/dogs/{id}',
      dogs: ['new', 'scheduled'],
      cases: [
        ...forbidden(invalidPatches(now)),
        ...invalidHeaders(now).map(([name, fields, refusal]) => ({
          ...operation,
          name,
          fields: { ...json, ...fields },
          body: bytes(valid),
          ...refusal,
        })),
        ...firstErrors(now),
      ],
    },
    {
      title: 'PATCH /v1/dogs/{id} of a dog without a schedule',
      dogs: ['new'],
      cases: forbidden([
        ['only a frequency', { barks: { frequency: 10 } }, missingNext],
        ['only a frequency of null', { barks: { frequency: null } }, missingNext],
      ]),
    },
    {
      title: 'PATCH /v1/dogs/{id} of a dog that does not exist',
      dogs: ['absent'],
      cases: [
        { ...operation, name: 'a valid patch', fields: { ...json, ...since }, body: bytes(valid), ...absent },
        { ...operation, name: 'text that is not JSON', fields: since, body: bytes('no JSON'), ...absent },
        {
          ...operation,
          name: 'a body of 65,537 bytes',
          fields: since,
          body: bytes(' '.repeat(65_537)),
          status: 413,
          problem: 'body-too-large',
        },
      ],
    },
  ];
}
