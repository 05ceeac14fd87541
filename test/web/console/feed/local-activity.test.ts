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
    const reason = status >= 400 ? ' · No.' : '';
    expect(entryOf(request(method, path, status, reason ? { detail: 'No.' } : {}))).toEqual({
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

const entry = (id: unknown, kind: string, text: string, more: object = {}) => ({
  id,
  at,
  kind,
  dog: 'rex',
  text,
  ...more,
});
const outcome = entry(`outcome:${bark}`, 'bark', 'Bark complete');
const failed = entry(`outcome:${bark}`, 'bark', 'Bark failed', { hasFailed: true });
const cancelled = entry(`cancelled:${bark}`, 'cancellation', 'Bark cancelled');
const mailOf = (detail: string) => ({ ...entry('mail:m', 'mail', 'Mail to a@b.c, d@e.f'), detail });
const { dog: _, ...otherMail } = mailOf('Hello you');

const event = { dog: 'rex', scheduledTime: '2026-11-22T14:03:00Z' };
const occurrence = { time, type: 'occurrence', scheduledAt: '2026-11-22T14:03:00Z' } as const;
const invocation = { time, type: 'invocation', functionName: 'BarkOnSchedule', event } as const;
const mailAbout = (subject: string): LocalActivity => ({
  time,
  type: 'mail',
  messageId: 'm',
  to: ['a@b.c', 'd@e.f'],
  subject,
});
const workflow = (state: string, output?: { status?: string }): LocalActivity => ({
  time,
  type: 'workflow',
  execution: bark,
  state,
  input: { dog: 'rex' },
  ...(output && { output }),
});
const serviceEvent = (type: string, data: object): LocalActivity => ({
  time,
  type: 'event',
  source: 'dogs',
  detailType: `dogs.${type}`,
  detail: { id: 'x', data: { dog: 'rex', ...data } },
});
const synchronous = bark.replace('a', 's');

test.each<[string, LocalActivity, object | undefined]>([
  ['a complete workflow', workflow('SUCCEEDED', { status: 'complete' }), outcome],
  ['a workflow whose bark failed', workflow('SUCCEEDED', { status: 'failed' }), failed],
  ['a workflow that records a failure', workflow('FailBark'), failed],
  ['a failed workflow', workflow('FAILED'), failed],
  ['a workflow that took too long', workflow('TIMED_OUT'), failed],
  ['a workflow that waits', workflow('WaitForCancellation'), undefined],
  ['a workflow of a cancelled bark', workflow('SUCCEEDED', { status: 'cancelled' }), undefined],
  ['a workflow that found no bark', workflow('SUCCEEDED', {}), undefined],
  ['a mail of a bark', mailAbout('rex barked'), mailOf('rex barked')],
  ['another mail', mailAbout('Hello you'), otherMail],
  [
    'an occurrence',
    { ...occurrence, input: event },
    entry('occurrence:rex:1795356180', 'occurrence', 'Occurrence delivered', {
      detail: `Scheduled for ${dateAndTime(1795356180)}`,
    }),
  ],
  ['an occurrence without a dog', { ...occurrence, input: {} }, undefined],
  ['an invocation', invocation, undefined],
  ['an invocation without a schedule', { ...invocation, event: { dog: 'rex' }, error: 'No.' }, undefined],
  [
    'a failed invocation',
    { ...invocation, error: 'No.' },
    entry(expect.any(String), 'bark', 'Scheduled bark failed', { detail: 'No.', hasFailed: true }),
  ],
  ['an unknown activity', { time, type: 'other' } as unknown as LocalActivity, undefined],
  ['a complete bark', serviceEvent('bark.completed', { bark }), outcome],
  ['a failed bark', serviceEvent('bark.failed', { bark, reason: 'No.' }), { ...failed, detail: 'No.' }],
  ['a cancelled bark', serviceEvent('bark.cancelled', { bark }), cancelled],
  [
    'a mail that failed',
    serviceEvent('bark.mail-failed', { bark: synchronous }),
    entry('event:x', 'mail', 'Mail for a scheduled bark failed', { hasFailed: true }),
  ],
  [
    'a schedule that is over',
    serviceEvent('schedule.ended', { reason: 'last-occurrence' }),
    entry('event:x', 'schedule', 'Schedule over', { detail: 'It had one occurrence.' }),
  ],
  // The request itself is the entry.
  ['a complete synchronous bark', serviceEvent('bark.completed', { bark: synchronous }), undefined],
  ['a schedule that a request ended', serviceEvent('schedule.ended', { reason: 'request' }), undefined],
  ['a created dog', serviceEvent('dog.created', {}), undefined],
])('entryOf() %s is %j', (_, activity, expected) => {
  expect(entryOf(activity)).toEqual(expected);
});

test.each<[string, LocalActivity, string | undefined]>([
  ['a bark', request('POST', '/v1/dogs/rex/barks', 201), 'rex'],
  ['the end of an invocation', invocation, 'rex'],
  ['an event of the service', serviceEvent('dog.created', {}), 'rex'],
  ['a read that failed', request('GET', '/v1/dogs/rex/', 500), undefined],
  ['a request that concerns no dog', request('POST', '/oauth2/v4/token', 200), undefined],
])('dogOf() returns the dog that %s may have changed', (_, activity, dog) => {
  expect(dogOf(activity)).toBe(dog);
});
