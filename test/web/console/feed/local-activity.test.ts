import { dogOf, entryOf, type LocalActivity } from '../../../../web/console/feed/local-activity.ts';
import { dateAndTime } from '../../../../web/shared/time.ts';

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
    ['POST', '/v1/dogs/rex/barks', 201, 'bark', 'Bark complete', 'Variant A · '],
    ['POST', '/v1/dogs/rex/barks/', 303, 'bark', 'Bark complete', 'Variant A · '],
    ['POST', '/v1/dogs/rex/barks?a=1', 200, 'bark', 'Bark request succeeded', 'Variant A · '],
    ['POST', '/v1/dogs/rex/barks', 202, 'bark', 'Bark accepted', 'Variant A · '],
    ['POST', '/v1/dogs/rex/bark', 201, 'bark', 'Bark complete', 'Variant C · '],
    ['PATCH', '/v1/dogs/rex/', 205, 'schedule', 'Schedule changed', 'Variant B · '],
    ['PATCH', '/v1/dogs/rex/', 204, 'schedule', 'Schedule unchanged', 'Variant B · '],
    ['POST', '/v1/dogs/rex/bark-schedule', 200, 'schedule', 'Schedule set', 'Variant C · '],
    ['DELETE', '/v1/dogs/rex/bark-schedule', 204, 'schedule', 'Schedule ended', 'Variant C · '],
    ['PUT', '/v1/dogs/r%65x', 201, 'request', 'Dog created', ''],
    ['DELETE', '/v1/dogs/rex', 204, 'request', 'Dog deleted', ''],
    ['DELETE', `/v1/dogs/rex/barks/${bark}`, 204, 'cancellation', 'Bark cancelled', ''],
    ['POST', '/v1/dogs/rex/barks', 503, 'bark', 'Bark failed', 'Variant A · '],
    ['POST', '/v1/dogs/rex/bark', 404, 'bark', 'Bark failed', 'Variant C · '],
    ['DELETE', `/v1/dogs/rex/barks/${bark}`, 409, 'cancellation', 'Cancellation failed', ''],
    ['PATCH', '/v1/dogs/rex', 412, 'schedule', 'Request failed', 'Variant B · '],
    ['PUT', '/v1/dogs/rex', 400, 'request', 'Request failed', ''],
  ])('%s %s with %d is a %s: %s', (method, path, status, kind, text, variant) => {
    const entry = entryOf(request(method, path, status, status >= 400 ? { detail: 'No.' } : {}));
    const reason = status >= 400 ? ' · No.' : '';
    expect(entry).toEqual({
      id: expect.any(String),
      at,
      dog: 'rex',
      kind,
      text,
      detail: `${variant}${method} ${path} → ${status} · by dog-lover${reason}`,
      ...(status >= 400 && { hasFailed: true }),
    });
  });

  test.each(['%20', '%00', '%E0', '%zz', 'a.b'])('to the invalid ID %s belongs to no dog', (id) => {
    const entry = entryOf(request('POST', `/v1/dogs/${id}/barks`, 404));
    expect(entry).toMatchObject({ kind: 'bark', text: 'Bark failed', hasFailed: true });
    expect(entry).not.toHaveProperty('dog');
  });

  test('to another resource concerns no dog', () => {
    expect(entryOf(request('POST', '/oauth2/v4/token', 200, { user: undefined }))).toEqual({
      id: 'request:x=',
      at,
      kind: 'request',
      text: 'Access token issued',
      detail: 'POST /oauth2/v4/token → 200',
    });
  });

  test('that makes a dog bark, or accepts or cancels a bark has the ID of the bark, so that a repeat is no second bark', () => {
    const location = `http://127.0.0.1:3000/v1/dogs/rex/barks/${bark}`;
    expect(entryOf(request('POST', '/v1/dogs/rex/barks', 202, { location }))?.id).toBe(`accepted:${bark}`);
    expect(entryOf(request('POST', '/v1/dogs/rex/barks', 201, { location }))?.id).toBe(`outcome:${bark}`);
    expect(entryOf(request('DELETE', `/v1/dogs/rex/barks/${bark}`, 204))?.id).toBe(`cancelled:${bark}`);
  });
});

const outcome = { id: `outcome:${bark}`, kind: 'bark', dog: 'rex' };
const failed = { ...outcome, text: 'Bark failed', hasFailed: true };

test.each<[string, { status?: string } | undefined, object | undefined]>([
  ['SUCCEEDED', { status: 'complete' }, { ...outcome, text: 'Bark complete' }],
  ['SUCCEEDED', { status: 'failed' }, failed],
  ['FailBark', undefined, failed],
  ['FAILED', undefined, failed],
  ['TIMED_OUT', undefined, failed],
  ['WaitForCancellation', undefined, undefined],
  ['PerformBark', undefined, undefined],
  ['ABORTED', undefined, undefined],
  ['SUCCEEDED', { status: 'cancelled' }, undefined],
  // The execution found no bark.
  ['SUCCEEDED', {}, undefined],
])('entryOf() the state %s of a workflow with the output %j is %j', (state, output, entry) => {
  expect(entryOf(workflow(state, output))).toEqual(entry && { at, ...entry });
});

const occurrence = { time, type: 'occurrence', scheduledAt: '2026-11-22T14:03:00Z' } as const;
const invocation = { time, type: 'invocation', functionName: 'BarkOnSchedule', event } as const;
const mailAbout = (subject: string): LocalActivity => ({
  time,
  type: 'mail',
  messageId: 'm',
  to: ['a@b.c', 'd@e.f'],
  subject,
});
const mail = { id: 'mail:m', kind: 'mail', text: 'Mail to a@b.c, d@e.f' };

test.each<[string, LocalActivity, object | undefined]>([
  ['a mail of a bark', mailAbout('rex barked'), { ...mail, detail: 'rex barked', dog: 'rex' }],
  ['another mail', mailAbout('Hello you'), { ...mail, detail: 'Hello you' }],
  [
    'an occurrence',
    { ...occurrence, input: event },
    {
      id: 'occurrence:rex:1795356180',
      kind: 'occurrence',
      dog: 'rex',
      text: 'Occurrence delivered',
      detail: `Scheduled for ${dateAndTime(1795356180)}`,
    },
  ],
  ['an occurrence without a dog', { ...occurrence, input: {} }, undefined],
  ['an invocation', invocation, undefined],
  [
    'a failed invocation without a schedule',
    { ...invocation, event: { dog: 'rex' }, error: 'No.' },
    undefined,
  ],
  [
    'a failed invocation',
    { ...invocation, error: 'No.' },
    {
      id: expect.any(String),
      kind: 'bark',
      dog: 'rex',
      text: 'Scheduled bark failed',
      detail: 'No.',
      hasFailed: true,
    },
  ],
  ['an unknown activity', { time, type: 'other' } as unknown as LocalActivity, undefined],
])('entryOf() %s', (_, activity, entry) => {
  expect(entryOf(activity)).toEqual(entry && { at, ...entry });
});

const serviceEvent = (type: string, data: object): LocalActivity => ({
  time,
  type: 'event',
  source: 'dogs',
  detailType: `dogs.${type}`,
  detail: { id: 'x', data: { dog: 'rex', ...data } },
});

describe('entryOf() an event of the service', () => {
  test.each([
    ['bark.completed', { bark }, { id: `outcome:${bark}`, kind: 'bark', text: 'Bark complete' }],
    [
      'bark.failed',
      { bark, reason: 'No.' },
      { id: `outcome:${bark}`, kind: 'bark', text: 'Bark failed', detail: 'No.', hasFailed: true },
    ],
    ['bark.cancelled', { bark }, { id: `cancelled:${bark}`, kind: 'cancellation', text: 'Bark cancelled' }],
    [
      'bark.mail-failed',
      { bark: bark.replace('a', 's') },
      { id: 'event:x', kind: 'mail', text: 'Mail of a scheduled bark failed', hasFailed: true },
    ],
    [
      'schedule.ended',
      { reason: 'last-occurrence' },
      { id: 'event:x', kind: 'schedule', text: 'Schedule over', detail: 'It had one occurrence.' },
    ],
  ])('%s %j', (type, data, expected) => {
    expect(entryOf(serviceEvent(type, data))).toEqual({ at, dog: 'rex', ...expected });
  });

  test.each([
    ['bark.completed', { bark: bark.replace('a', 's') }],
    ['schedule.ended', { reason: 'request' }],
    ['dog.created', {}],
  ])('is no entry if a request or an occurrence is one: %s %j', (type, data) => {
    expect(entryOf(serviceEvent(type, data))).toBeUndefined();
    expect(dogOf(serviceEvent(type, data))).toBe('rex');
  });
});

test.each<[string, LocalActivity, string | undefined]>([
  ['a bark', request('POST', '/v1/dogs/rex/barks', 201), 'rex'],
  ['the end of an invocation', invocation, 'rex'],
  ['a read that failed', request('GET', '/v1/dogs/rex/', 500), undefined],
  ['a request that concerns no dog', request('POST', '/oauth2/v4/token', 200), undefined],
])('dogOf() returns the dog that %s may have changed', (_, activity, dog) => {
  expect(dogOf(activity)).toBe(dog);
});
