import { fieldErrors } from '../../../web/console/form-errors.ts';
import type { Exchange } from '../../../web/shared/http/exchange.ts';
import { get } from '../../../web/shared/http/requests.ts';

const sent = { request: get('/v1/dogs/rex/'), startedAt: 0, durationMs: 1 };

/** Returns an exchange whose response is a problem document with these errors. */
function failure(...errors: readonly (readonly [pointer: string, detail: string])[]): Exchange {
  const problem = {
    detail: 'The request body is invalid.',
    ...(errors.length > 0 && { errors: errors.map(([pointer, detail]) => ({ pointer, detail })) }),
  };
  return { ...sent, response: { status: 400, headers: [], body: JSON.stringify(problem) } };
}

describe('fieldErrors()', () => {
  test('returns each error at its field, as a sentence', () => {
    const exchange = failure(['/email', 'must be an email address'], ['/owner', 'must be a URI reference']);
    expect(fieldErrors(exchange, ['email', 'owner'])).toEqual({
      fields: { email: 'Must be an email address.', owner: 'Must be a URI reference.' },
      rest: [],
    });
  });

  test('prefers the innermost field that the form has', () => {
    const exchange = failure(['/barks/next/0', 'must be an integer']);
    expect(fieldErrors(exchange, ['barks', 'next']).fields).toEqual({ next: 'Must be an integer.' });
    expect(fieldErrors(exchange, ['barks']).fields).toEqual({ barks: 'Must be an integer.' });
  });

  test('joins the errors of one field', () => {
    const exchange = failure(['/barkEffects/0', 'must be one of count'], ['/barkEffects', 'is too long']);
    expect(fieldErrors(exchange, ['barkEffects']).fields).toEqual({
      barkEffects: 'Must be one of count. Is too long.',
    });
  });

  test('returns an error without a field separately', () => {
    const exchange = failure(
      ['/email', 'must be a string'],
      ['/age', 'is unknown'],
      ['', 'must be an object'],
    );
    expect(fieldErrors(exchange, ['email'])).toEqual({
      fields: { email: 'Must be a string.' },
      rest: ['/age is unknown.', 'The request body must be an object.'],
    });
  });

  test('returns the detail of a problem without errors of fields', () => {
    expect(fieldErrors(failure(), ['email'])).toEqual({ fields: {}, rest: ['The request body is invalid.'] });
  });

  test('returns the time of the next attempt after too many requests', () => {
    const body = JSON.stringify({ detail: 'A limit is reached.' });
    const response = { status: 429, headers: [['retry-after', '1234']] as const, body };
    const startedAt = Date.UTC(2026, 10, 21, 12);
    const next = new Date(startedAt + 1_234_000).toLocaleString('en-GB', {
      dateStyle: 'medium',
      timeStyle: 'medium',
    });
    expect(fieldErrors({ ...sent, startedAt, response }, ['email']).rest).toEqual([
      `A limit is reached. You can try again at ${next}.`,
    ]);
  });

  test('returns a reason if there is no response', () => {
    const { rest } = fieldErrors(sent, ['email']);
    expect(rest).toEqual([expect.stringContaining('does not respond')]);
  });

  test('returns no errors if the request succeeded', () => {
    const exchange = { ...sent, response: { status: 204, headers: [], body: '' } };
    expect(fieldErrors(exchange, ['email'])).toEqual({ fields: {}, rest: [] });
  });
});
