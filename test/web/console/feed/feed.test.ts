import { dogOf, type Entry, entriesAfter, type LocalActivity } from '../../../../web/console/feed/feed.ts';
import { dateAndTime } from '../../../../web/shared/time.ts';

const time = '2026-11-22T14:03:07.500Z';
const at = Date.parse(time) / 1000;
const timestamp = Math.floor(at);
const bark = 's01M7XTJQRGHZ3MM2X05VM3ARQN';
const asyncBark = bark.replace('s', 'a');
const location = `http://127.0.0.1:3000/v1/dogs/rex/barks/${bark}`;

const request = (method: string, path: string, status: number, more: object = {}): LocalActivity => ({
  time,
  type: 'request',
  method,
  path,
  status,
  requestId: `${method} ${path}`,
  user: 'dog-lover',
  ...more,
});
const event = (type: string, data: object = {}): LocalActivity => ({
  time,
  type: 'event',
  detailType: `dogs.${type}`,
  detail: { id: 'x', data: { dog: 'rex', bark, timestamp, ...data } },
});
const completed = event('bark.completed');
const occurrence = { dog: 'rex', scheduledTime: '2026-11-22T14:03:00Z' };
const invocation = (more: object = {}): LocalActivity => ({
  time,
  type: 'invocation',
  event: occurrence,
  ...more,
});

const entriesOf = (...activities: LocalActivity[]) => activities.reduce(entriesAfter, [] as readonly Entry[]);
const textsAfter = (...activities: LocalActivity[]) => entriesOf(...activities).map(({ text }) => text);

describe('The entry of a request', () => {
  test.each([
    ['POST', '/v1/dogs/rex/barks', 201, 'Barked', 'Variant A · '],
    ['POST', '/v1/dogs/rex/barks/', 303, 'Barked', 'Variant A · '],
    ['POST', '/v1/dogs/rex/barks?a=1', 200, 'Bark request succeeded', 'Variant A · '],
    ['POST', '/v1/dogs/rex/barks', 202, 'Bark accepted', 'Variant A · '],
    ['POST', '/v1/dogs/rex/bark', 201, 'Barked', 'Variant C · '],
    ['PATCH', '/v1/dogs/rex/', 205, 'Schedule changed', 'Variant B · '],
    ['PATCH', '/v1/dogs/rex/', 204, 'Schedule unchanged', 'Variant B · '],
    ['POST', '/v1/dogs/rex/bark-schedule', 205, 'Schedule set', 'Variant C · '],
    ['DELETE', '/v1/dogs/rex/bark-schedule', 204, 'Schedule ended', 'Variant C · '],
    ['PUT', '/v1/dogs/r%65x', 201, 'Dog created', ''],
    ['PUT', '/v1/dogs/rex', 204, 'Settings replaced', ''],
    ['DELETE', '/v1/dogs/rex', 204, 'Dog deleted', ''],
    ['DELETE', `/v1/dogs/rex/barks/${asyncBark}`, 204, 'Bark cancelled', ''],
    ['POST', '/v1/dogs/rex/barks', 503, 'Bark failed', 'Variant A · '],
    ['PATCH', '/v1/dogs/rex', 412, 'Request failed', 'Variant B · '],
  ])('%s %s with %d is: %s', (method, path, status, text, variant) => {
    const [entry] = entriesOf(request(method, path, status, status >= 400 ? { detail: 'No.' } : {}));
    const reason = status >= 400 ? ' · No.' : '';
    const detail = `${variant}${method} ${path} → ${status} · by dog-lover${reason}`;
    expect(entry).toMatchObject({ at, dog: 'rex', text, detail });
    expect(entry?.hasFailed ?? false).toBe(status >= 400);
  });

  test.each(['%20', '%00', '%E0', '%zz', 'a.b'])('to the invalid ID %s names no dog', (id) => {
    const [entry] = entriesOf(request('POST', `/v1/dogs/${id}/barks`, 404));
    expect(entry).toMatchObject({ text: 'Bark failed', hasFailed: true });
    expect(entry).not.toHaveProperty('dog');
  });

  test('for an access token exists only if the request failed', () => {
    expect(textsAfter(request('POST', '/oauth2/v4/token', 200))).toEqual([]);
    expect(textsAfter(request('POST', '/oauth2/v4/token', 400))).toEqual(['Request failed']);
  });
});

describe('A bark', () => {
  test.each([
    ['PATCH', '/v1/dogs/rex/', 205, 'Variant B'],
    ['POST', '/v1/dogs/rex/bark-schedule', 205, 'Variant C'],
    ['POST', '/v1/dogs/rex/barks', 201, 'Variant A'],
    ['POST', '/v1/dogs/rex/barks', 200, 'Variant A'],
    ['POST', '/v1/dogs/rex/barks', 303, 'Variant A'],
    ['POST', '/v1/dogs/rex/bark', 201, 'Variant C'],
  ])('of a %s %s with %d is one entry, whichever report comes first', (method, path, status, variant) => {
    const cause = request(method, path, status, status === 201 && path.endsWith('s') ? { location } : {});
    for (const activities of [
      [cause, completed],
      [completed, cause],
    ]) {
      const entries = entriesOf(...activities, completed);
      expect(entries).toMatchObject([{ text: 'Barked', dog: 'rex' }]);
      expect(entries[0]?.detail).toContain(`${variant} · ${method}`);
    }
  });

  test('of each of two requests in the same second is one entry', () => {
    const causes = [
      request('PATCH', '/v1/dogs/rex/', 205),
      request('POST', '/v1/dogs/rex/bark-schedule', 205),
    ];
    const barks = [completed, event('bark.completed', { bark: `${bark}2` })];
    expect(textsAfter(...causes, ...barks, ...barks)).toEqual(['Barked', 'Barked']);
  });

  test('does not change the entry of an earlier schedule or of another dog', () => {
    const earlier = { time: '2026-11-22T14:03:01.000Z' };
    const others = [request('PATCH', '/v1/dogs/rex/', 205, earlier), request('PATCH', '/v1/dogs/max/', 205)];
    expect(textsAfter(...others, request('POST', '/v1/dogs/rex/barks', 303), completed)).toEqual([
      'Barked',
      'Schedule changed',
      'Schedule changed',
    ]);
  });

  test('on a schedule is one entry with the time for which it was scheduled', () => {
    expect(entriesOf(invocation(), completed)).toMatchObject([
      { text: 'Barked', detail: `Scheduled for ${dateAndTime(Date.parse(occurrence.scheduledTime) / 1000)}` },
    ]);
    expect(entriesOf(invocation({ error: 'No.' }))).toMatchObject([
      { text: 'Scheduled bark failed', detail: 'No.', hasFailed: true },
    ]);
  });

  test('that is asynchronous is accepted first, and is complete or fails later', () => {
    const accepted = request('POST', '/v1/dogs/rex/barks', 202);
    expect(textsAfter(accepted, event('bark.completed', { bark: asyncBark }))).toEqual([
      'Barked',
      'Bark accepted',
    ]);
    expect(entriesOf(accepted, event('bark.failed', { bark: asyncBark, reason: 'No.' }))).toMatchObject([
      { text: 'Bark failed', detail: 'No.', hasFailed: true },
      { text: 'Bark accepted' },
    ]);
  });
});

test.each<[string, LocalActivity, object[]]>([
  [
    'an email of a bark',
    { time, type: 'mail', messageId: 'm', to: ['a@b.c', 'd@e.f'], subject: 'rex barked' },
    [{ dog: 'rex', text: 'Mail to a@b.c, d@e.f', detail: 'rex barked' }],
  ],
  ['a mail that failed', event('bark.mail-failed'), [{ dog: 'rex', hasFailed: true }]],
  ['the end of a schedule', event('schedule.ended', { reason: 'last-occurrence' }), []],
  ['a created dog', event('dog.created'), []],
  ['a step of a workflow', { time, type: 'workflow' }, []],
  ['an invocation without a dog', invocation({ event: {} }), []],
])('The feed shows of %s the entries %j', (_, activity, expected) => {
  expect(entriesOf(activity)).toMatchObject(expected);
});

test('The feed keeps the latest 500 entries, newest first', () => {
  const many = Array.from({ length: 501 }, (_, i) => request('PUT', `/v1/dogs/dog-${i}`, 201));
  const dogs = entriesOf(...many).map(({ dog }) => dog);
  expect(dogs).toHaveLength(500);
  expect([dogs[0], dogs[499]]).toEqual(['dog-500', 'dog-1']);
});

test.each<[string, LocalActivity, string | undefined]>([
  ['a bark', request('POST', '/v1/dogs/rex/barks', 201), 'rex'],
  ['the end of an invocation', invocation(), 'rex'],
  ['an event of the service', event('dog.created'), 'rex'],
  ['a read that failed', request('GET', '/v1/dogs/rex/', 500), undefined],
  ['a request that concerns no dog', request('POST', '/oauth2/v4/token', 200), undefined],
])('dogOf() returns the dog that %s may have changed', (_, activity, dog) => {
  expect(dogOf(activity)).toBe(dog);
});
