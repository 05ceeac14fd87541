import { dogOf, entryOf, type LocalActivity } from '../../../web/console/feed/local-activity.ts';
import { dateAndTime } from '../../../web/shared/time.ts';

const time = '2026-11-22T14:03:07.500Z';
const at = Date.parse(time) / 1000;
const bark = 'a01M7XTJQRGHZ3MM2X05VM3ARQN';

const request = (method: string, path: string, status: number, more: object = {}): LocalActivity => ({
  time,
  type: 'request',
  method,
  path,
  status,
  requestId: 'x=',
  user: 'dog-lover',
  ...more,
});
const workflow = (state: string, output?: { status?: string }): LocalActivity => ({
  time,
  type: 'workflow',
  execution: bark,
  state,
  input: { dog: 'rex' },
  ...(output && { output }),
});
const event = { dog: 'rex', scheduledTime: '2026-11-22T14:03:00Z' };

describe('entryOf() a request', () => {
  test.each([
    ['POST', '/v1/dogs/rex/barks', 201, 'bark', 'Bark complete'],
    ['POST', '/v1/dogs/rex/barks/', 303, 'bark', 'Bark complete'],
    ['POST', '/v1/dogs/rex/barks?a=1', 200, 'bark', 'Bark complete'],
    ['POST', '/v1/dogs/rex/barks', 202, 'bark', 'Bark accepted'],
    ['POST', '/v1/dogs/rex/bark', 200, 'bark', 'Bark complete'],
    ['PATCH', '/v1/dogs/rex/', 205, 'schedule', 'Schedule changed'],
    ['PATCH', '/v1/dogs/rex/', 204, 'schedule', 'Schedule unchanged'],
    ['POST', '/v1/dogs/rex/bark-schedule', 200, 'schedule', 'Schedule set'],
    ['DELETE', '/v1/dogs/rex/bark-schedule', 204, 'schedule', 'Schedule ended'],
    ['PUT', '/v1/dogs/rex', 201, 'request', 'Dog created'],
    ['DELETE', '/v1/dogs/rex', 204, 'request', 'Dog deleted'],
    ['DELETE', `/v1/dogs/rex/barks/${bark}`, 204, 'cancellation', 'Bark cancelled'],
  ])('%s %s with %d is a %s: %s', (method, path, status, kind, text) => {
    const entry = entryOf(request(method, path, status));
    expect(entry).toMatchObject({ at, dog: 'rex', kind, text });
    expect(entry).not.toHaveProperty('hasFailed');
  });

  test.each(['%20', '%00', '%E0', '%zz', 'a.b'])('to the invalid ID %s belongs to no dog', (id) => {
    const entry = entryOf(request('POST', `/v1/dogs/${id}/barks`, 404));
    expect(entry).toMatchObject({ kind: 'bark', text: 'Bark failed', hasFailed: true });
    expect(entry).not.toHaveProperty('dog');
  });

  test.each([
    ['POST', '/v1/dogs/rex/barks', 503, 'bark', 'Bark failed'],
    ['POST', '/v1/dogs/rex/bark', 404, 'bark', 'Bark failed'],
    ['DELETE', `/v1/dogs/rex/barks/${bark}`, 409, 'cancellation', 'Cancellation failed'],
    ['PATCH', '/v1/dogs/rex', 412, 'schedule', 'Request failed'],
    ['PUT', '/v1/dogs/rex', 400, 'request', 'Request failed'],
  ])('%s %s with %d has failed', (method, path, status, kind, text) => {
    expect(entryOf(request(method, path, status, { detail: 'No.' }))).toMatchObject({
      kind,
      text,
      hasFailed: true,
      detail: expect.stringContaining(`${method} ${path} → ${status} · by dog-lover · No.`),
    });
  });

  test.each([
    ['POST', 'barks', 'Variant A · POST /v1/dogs/rex/barks → 200 · by dog-lover'],
    ['PATCH', '', 'Variant B · PATCH /v1/dogs/rex/ → 200 · by dog-lover'],
    ['POST', 'bark', 'Variant C · POST /v1/dogs/rex/bark → 200 · by dog-lover'],
    ['POST', 'bark-schedule', 'Variant C · POST /v1/dogs/rex/bark-schedule → 200 · by dog-lover'],
    ['PUT', '', 'PUT /v1/dogs/rex/ → 200 · by dog-lover'],
  ])('%s /v1/dogs/rex/%s has its variant, its status and its user', (method, rest, detail) => {
    expect(entryOf(request(method, `/v1/dogs/rex/${rest}`, 200))?.detail).toBe(detail);
  });

  test('has the decoded ID of the dog', () => {
    expect(entryOf(request('PUT', '/v1/dogs/r%65x', 204))?.dog).toBe('rex');
  });

  test('to another resource concerns no dog', () => {
    const { user: _, ...anonymous } = request('POST', '/oauth2/v4/token', 200) as { user?: string };
    expect(entryOf(anonymous as LocalActivity)).toEqual({
      id: 'request:x=',
      at,
      kind: 'request',
      text: 'Access token issued',
      detail: 'POST /oauth2/v4/token → 200',
    });
  });

  test('has the same ID if it cancels the same bark', () => {
    const ids = ['x=', 'y='].map(
      (requestId) => entryOf(request('DELETE', `/v1/dogs/rex/barks/${bark}`, 204, { requestId }))?.id,
    );
    expect(ids).toEqual([`cancelled:${bark}`, `cancelled:${bark}`]);
  });

  test('that is accepted has the ID of its bark', () => {
    const location = `http://127.0.0.1:3000/v1/dogs/rex/barks/${bark}`;
    expect(entryOf(request('POST', '/v1/dogs/rex/barks', 202, { location }))?.id).toBe(`accepted:${bark}`);
  });
});

describe('entryOf() a state of a workflow', () => {
  const complete = { text: 'Bark complete' };
  const failed = { text: 'Bark failed', hasFailed: true };

  test.each<[string, { status: string } | undefined, object]>([
    ['SUCCEEDED', { status: 'complete' }, complete],
    ['SUCCEEDED', { status: 'failed' }, failed],
    ['FailBark', undefined, failed],
    ['FAILED', undefined, failed],
    ['TIMED_OUT', undefined, failed],
  ])('%s with the output %j is the outcome of the bark', (state, output, outcome) => {
    expect(entryOf(workflow(state, output))).toMatchObject({
      id: `outcome:${bark}`,
      kind: 'bark',
      dog: 'rex',
      ...outcome,
    });
  });

  test.each(['WaitForCancellation', 'PerformBark', 'ABORTED'])('%s is no entry', (state) => {
    expect(entryOf(workflow(state))).toBeUndefined();
  });

  test.each([
    ['of a cancelled bark', { status: 'cancelled' }],
    ['that found no bark', {}],
  ])('SUCCEEDED is no entry if it is the end of an execution %s', (_, output) => {
    expect(entryOf(workflow('SUCCEEDED', output))).toBeUndefined();
  });
});

test('entryOf() a mail has its recipients, and the dog in its subject', () => {
  const mail = { time, type: 'mail', messageId: 'm', to: ['a@b.c', 'd@e.f'] } as const;
  const entry = { id: 'mail:m', at, kind: 'mail', text: 'Mail to a@b.c, d@e.f' };
  expect(entryOf({ ...mail, to: [...mail.to], subject: 'rex barked' })).toEqual({
    ...entry,
    dog: 'rex',
    detail: 'rex barked',
  });
  expect(entryOf({ ...mail, to: [...mail.to], subject: 'Hello you' })).toEqual({
    ...entry,
    detail: 'Hello you',
  });
});

test('entryOf() an occurrence has its dog and its time', () => {
  const scheduledAt = '2026-11-22T14:03:00Z';
  expect(entryOf({ time, type: 'occurrence', scheduledAt, input: event })).toEqual({
    id: 'occurrence:rex:1795356180',
    at,
    kind: 'occurrence',
    dog: 'rex',
    text: 'Occurrence delivered',
    detail: `Scheduled for ${dateAndTime(1795356180)}`,
  });
  expect(entryOf({ time, type: 'occurrence', scheduledAt, input: {} })).toBeUndefined();
});

test('entryOf() an invocation is an entry only if a scheduled bark has failed', () => {
  const invocation = { time, type: 'invocation', functionName: 'BarkOnSchedule', event } as const;
  expect(entryOf(invocation)).toBeUndefined();
  expect(entryOf({ ...invocation, event: { dog: 'rex' }, error: 'No.' })).toBeUndefined();
  expect(entryOf({ ...invocation, error: 'No.' })).toMatchObject({
    kind: 'bark',
    dog: 'rex',
    text: 'Scheduled bark failed',
    detail: 'No.',
    hasFailed: true,
  });
});

test('entryOf() an unknown activity is no entry', () => {
  expect(entryOf({ time, type: 'other' } as unknown as LocalActivity)).toBeUndefined();
});

test.each<[string, LocalActivity, string | undefined]>([
  ['a bark', request('POST', '/v1/dogs/rex/barks', 201), 'rex'],
  ['the end of an invocation', { time, type: 'invocation', functionName: 'BarkOnSchedule', event }, 'rex'],
  ['a read that failed', request('GET', '/v1/dogs/rex/', 500), undefined],
  ['a request that concerns no dog', request('POST', '/oauth2/v4/token', 200), undefined],
])('dogOf() returns the dog that %s may have changed', (_, activity, dog) => {
  expect(dogOf(activity)).toBe(dog);
});
