import { type FormErrors, fieldErrors } from '../../../web/console/form-errors.ts';
import type { ServiceResponse } from '../../../web/shared/http/exchange.ts';
import { get } from '../../../web/shared/http/requests.ts';

const startedAt = Date.UTC(2026, 10, 21, 12);
const later = new Date(startedAt + 1_234_000);
const detail = 'The request body is invalid.';

const errors = (...all: readonly (readonly [pointer: string, detail: string])[]): ServiceResponse => ({
  status: 400,
  headers: [],
  body: JSON.stringify({ detail, errors: all.map(([pointer, text]) => ({ pointer, detail: text })) }),
});

test.each<[string, ServiceResponse | undefined, FormErrors<string>]>([
  [
    'each error at its field, as a sentence',
    errors(['/email', 'must be an email address'], ['/owner', 'must be a URI reference']),
    { fields: { email: 'Must be an email address.', owner: 'Must be a URI reference.' }, rest: '' },
  ],
  [
    'an error at the innermost field that the form has',
    errors(['/barks/next/0', 'must be an integer'], ['/barks/first', 'is unknown']),
    { fields: { next: 'Must be an integer.', barks: 'Is unknown.' }, rest: '' },
  ],
  [
    'the errors of one field together',
    errors(['/barks/0', 'must be one of count'], ['/barks', 'is too long']),
    { fields: { barks: 'Must be one of count. Is too long.' }, rest: '' },
  ],
  [
    'an error without a field separately',
    errors(['/email', 'must be a string'], ['/age', 'is unknown'], ['', 'must be an object']),
    {
      fields: { email: 'Must be a string.' },
      rest: '/age is unknown. The request body must be an object.',
    },
  ],
  ['the detail of a problem without errors of fields', errors(), { fields: {}, rest: detail }],
  [
    'the time of the next attempt after too many requests',
    { ...errors(), status: 429, headers: [['retry-after', '1234']] },
    {
      fields: {},
      rest: `${detail} You can try again at ${later.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })}.`,
    },
  ],
  ['a reason without a response', undefined, { fields: {}, rest: expect.stringContaining('not respond') }],
  ['no errors if the request succeeded', { status: 204, headers: [], body: '' }, { fields: {}, rest: '' }],
])('fieldErrors() returns %s', (_, response, expected) => {
  const exchange = { request: get('/v1/dogs/rex/'), startedAt, durationMs: 1, ...(response && { response }) };
  expect(fieldErrors(exchange, ['email', 'owner', 'barks', 'next'])).toEqual(expected);
});
