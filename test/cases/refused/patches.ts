import {
  type Case,
  type CaseGroup,
  type Fields,
  httpDate,
  type InvalidDocument,
  invalidDocuments,
  type Refusal,
  tooLarge,
} from './case.ts';
import { invalidFrequencies, invalidTimes, rules } from './schedules.ts';

const request = 'PATCH {dog}';
const day = 24 * 3_600;
const valid = { barks: { next: 0, frequency: 10 } };

const notAnObject = { '/barks': 'must be a JSON object' };
const byPut = 'cannot be changed with PATCH; change it with PUT';
const missingNext = { '/barks/next': 'is required, because no bark is scheduled' };

function invalidPatches(now: number): readonly InvalidDocument[] {
  const nullNext = { '/barks/next': 'must not be null; send {"barks": null} to end the schedule' };
  const invalidMembers = { '/barks/next': rules.time, '/barks/frequency': rules.frequency };
  return [
    ['barks that are an array', { barks: [0, 10] }, notAnObject],
    ['barks 30,000 deep', `{"barks":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, notAnObject],
    ['an unknown field next to barks', { ...valid, loud: true }, { '/loud': 'is not a known field' }],
    ['an unknown field of barks', { barks: { loud: true } }, { '/barks/loud': 'is not a known field' }],
    [
      'the key __proto__ in barks',
      '{"barks":{"__proto__":{"next":0},"next":0}}',
      { '/barks/__proto__': 'is not a known field' },
    ],
    ['next that is null', { barks: { next: null, frequency: 10 } }, nullNext],
    ['two invalid members', { barks: { next: 'now', frequency: 'often' } }, invalidMembers],
    [
      'an owner and two invalid members',
      { owner: 'me', barks: { next: 'now', frequency: 'often' } },
      { '/owner': byPut, ...invalidMembers },
    ],
    ['an email', { ...valid, email: 'rex@example.com' }, { '/email': byPut }],
    ['an owner', { ...valid, owner: 'mailto:rex@example.com' }, { '/owner': byPut }],
    ['effects', { ...valid, barkEffects: ['count'] }, { '/barkEffects': byPut }],
    ['a bark handling', { ...valid, barkHandling: 'async' }, { '/barkHandling': byPut }],
    ['another ID', { ...valid, id: 'other' }, { '/id': 'must be absent or "{id}", the ID in the path' }],
    ...invalidTimes(now).map(
      ([name, next, error]) => [name, `{"barks":{"next":${next}}}`, { '/barks/next': error }] as const,
    ),
    ...invalidFrequencies.map(
      ([name, json]) =>
        [name, `{"barks":{"next":0,"frequency":${json}}}`, { '/barks/frequency': rules.frequency }] as const,
    ),
  ];
}

type Row = readonly [name: string, fields: Fields, refusal: Partial<Refusal>];

function invalidHeaders(now: number): readonly Row[] {
  const dates = {
    'a date without a value': ' ',
    'a date in words': 'yesterday',
    'a date in Unix seconds': String(now),
    'a date that does not exist': 'Tue, 31 Feb 2026 12:00:00 GMT',
    'a date with 61 seconds': 'Sun, 06 Nov 2033 08:49:61 GMT',
    'two dates': 'Sat, 21 Nov 2026 12:00:00 GMT, Sat, 21 Nov 2026 12:00:00 GMT',
  };
  const example = `Send the Last-Modified of your last GET, for example: ${httpDate(now)}.`;
  const early = httpDate(now - 120);
  const modified = (date: string): Partial<Refusal> => ({
    problem: 'dog-modified',
    detail: `A client changed the dog at ${httpDate(now)}. This is later than the If-Unmodified-Since date of this request (${date}). GET the dog again. If you still want the change, send the patch with the Last-Modified of that response.`,
  });
  const inFuture = (date: string): Partial<Refusal> => ({
    problem: 'date-in-future',
    detail: `The If-Unmodified-Since date of this request (${date}) is more than five minutes ahead of the service's clock (${httpDate(now)}). Send the Last-Modified of your last GET.`,
  });
  const dated = (name: string, date: string, refusal: (date: string) => Partial<Refusal>): Row => [
    name,
    { 'If-Unmodified-Since': date },
    refusal(date),
  ];
  return [
    [
      'a request without a date',
      { 'If-Unmodified-Since': '' },
      { problem: 'missing-date', detail: `The If-Unmodified-Since header is missing. ${example}` },
    ],
    ...Object.entries(dates).map(([name, date]): Row => {
      const detail = `The If-Unmodified-Since header "${date.trim()}" is not an HTTP date. ${example}`;
      return [name, { 'If-Unmodified-Since': date }, { problem: 'invalid-date', detail }];
    }),
    dated('a date in the future', httpDate(now + day), inFuture),
    dated('a leap second in the future', 'Sun Nov  6 08:49:60 2033', inFuture),
    dated('a date before the dog was created', early, modified),
    dated('such a date in the format of RFC 850', 'Sunday, 06-Nov-94 08:49:37 GMT', modified),
    dated('a date in the year 50', 'Sat, 01 Jan 0050 00:00:00 GMT', modified),
    [
      'an If-Match with a tag that no dog has',
      { 'If-Match': '"rex"' },
      {
        problem: 'precondition-failed',
        detail:
          'The resource does not meet the precondition in If-Match, If-None-Match or If-Unmodified-Since. GET it again.',
      },
    ],
  ];
}

/** Returns the headers of patches that are not JSON. The first error in the order of the checks determines the response. */
function headersOfInvalidPatches(now: number): readonly Row[] {
  const notJson: Partial<Refusal> = {
    problem: 'invalid-json',
    detail: 'The request body is not valid JSON: unexpected end of input at line 1, column 10.',
  };
  return [
    ['an If-Match that is false', { 'If-Match': '"other"' }, notJson],
    ['an early date', { 'If-Unmodified-Since': httpDate(now - 86_400) }, notJson],
    [
      'another content type',
      { 'Content-Type': 'text/plain' },
      {
        problem: 'unsupported-media-type',
        detail:
          'The request body must be JSON. Send it with Content-Type: application/json or application/merge-patch+json.',
      },
    ],
    [
      'an invalid If-Match',
      { 'If-Match': 'other' },
      {
        problem: 'invalid-entity-tag',
        detail:
          'The If-Match header must be * or a list of entity tags in double quotes. Send the ETag of your last GET.',
      },
    ],
    [
      'an invalid date',
      { 'If-Unmodified-Since': 'x' },
      {
        problem: 'invalid-date',
        detail: `The If-Unmodified-Since header "x" is not an HTTP date. Send the Last-Modified of your last GET, for example: ${httpDate(now)}.`,
      },
    ],
  ];
}

/** Returns the patches that the service refuses. @param now Unix seconds */
export function refusedPatches(now: number): CaseGroup[] {
  const forbidden = (documents: readonly InvalidDocument[]): Case[] =>
    invalidDocuments(request, documents).map((one) => ({ ...one, status: 403 }));
  const noDog: Refusal = { status: 404, problem: 'dog-not-found', detail: 'There is no dog "{id}".' };
  return [
    {
      title: request,
      dogs: ['new', 'scheduled'],
      cases: [
        ...forbidden(invalidPatches(now)),
        ...invalidHeaders(now).map(([name, fields, refusal]) => ({
          ...{ name, request, fields, body: valid, status: 403 },
          ...refusal,
        })),
        ...headersOfInvalidPatches(now).map(([name, fields, refusal]) => ({
          ...{ name: `text that is not JSON and ${name}`, request, fields, body: '{"other":', status: 403 },
          ...refusal,
        })),
      ],
    },
    {
      title: 'PATCH {dog} of a dog without a schedule',
      dogs: ['new'],
      cases: forbidden([
        ['only a frequency', { barks: { frequency: 10 } }, missingNext],
        ['only a frequency of null', { barks: { frequency: null } }, missingNext],
      ]),
    },
    {
      title: 'PATCH {dog} of a dog that does not exist',
      dogs: ['absent'],
      cases: [
        { name: 'a valid patch', request, body: valid, ...noDog },
        { name: 'text that is not JSON', request, body: 'x', ...noDog },
        { name: '65,537 bytes', request, body: ' '.repeat(65_537), ...tooLarge(65_537) },
      ],
    },
  ];
}
