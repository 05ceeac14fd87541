import { asText, localTime, timeText, wrapWords } from '../../../bin/cli/output.ts';

const now = Date.UTC(2026, 10, 23, 12, 0, 0);
const seconds = now / 1000;

function textOf(result: object, columns = Number.POSITIVE_INFINITY, format = {}): string {
  return asText(result, format, { heading: (text) => text, columns, now });
}

describe('a time', () => {
  test.each([
    [0, 'now'],
    [30, 'in 30 seconds'],
    [-1, '1 second ago'],
    [59.6, 'in 1 minute'],
    [-10 * 60, '10 minutes ago'],
    [90 * 60, 'in 2 hours'],
    [-36 * 3600, '2 days ago'],
    [45 * 86_400, 'in 2 months'],
    [3 * 365 * 86_400, 'in 3 years'],
  ])('%s seconds from now has the relative time "%s"', (distance, relative) => {
    expect(timeText(seconds + distance, now)).toBe(`${localTime(seconds + distance)} (${relative})`);
  });

  test('that no calendar has is an invalid time', () => {
    expect([timeText(1e300, now), timeText(Number.NaN, now)]).toEqual(['an invalid time', 'an invalid time']);
    expect(textOf({ sent: 'soon' }, 80, { times: ['sent'] })).toBe('sent: an invalid time\n');
  });

  test('is in the time zone of the computer, and can be in ISO 8601 format', () => {
    expect(localTime(new Date(2026, 0, 2, 3, 4, 5).getTime() / 1000)).toBe('2026-01-02 03:04:05');
    const sent = new Date(now).toISOString();
    expect(textOf({ sent }, 80, { times: ['sent'] })).toBe(`sent: ${timeText(seconds, now)}\n`);
  });
});

test('an object has aligned values, one line for each time, and - for a missing value', () => {
  const object = {
    id: 'rex',
    someEffects: ['count', 'record'],
    previous: [seconds - 60, seconds],
    next: null,
  };
  expect(textOf(object, 80, { times: ['previous', 'next'] }).split('\n')).toEqual([
    'id:          rex',
    'someEffects: count,record',
    `previous:    ${localTime(seconds - 60)} (1 minute ago)`,
    `             ${localTime(seconds)} (now)`,
    'next:        -',
    '',
  ]);
});

test('a message is broken between words, but a line that begins with a space stays whole', () => {
  const message =
    'The work is pending. Run:\n  npx some command that is long\nhttps://service.example.com/prod\n\nEnd\n';
  expect(wrapWords(message, 20).split('\n')).toEqual([
    'The work is pending.',
    'Run:',
    '  npx some command that is long',
    'https://service.example.com/prod',
    '',
    'End',
    '',
  ]);
});

describe('a table', () => {
  const rows = [
    { id: 'rex', email: 'rex-the-cat@quiet-lane.example.com', someEffects: ['mail', 'count', 'record'] },
    { id: 'a-cat-with-a-long-id-of-40-characters-00' },
  ];

  test('has one line for each row if the output is no terminal', () => {
    expect(textOf(rows).split('\n')).toHaveLength(4);
  });

  test('has columns of characters that take up two columns', () => {
    const wide = [
      { name: '日本語', mark: '👩‍👩‍👧', end: '|' },
      { name: 'Grüße', mark: '❤️', end: '|' },
      { name: 'e\u0301te\u0301', mark: 'x', end: '|' },
    ];
    expect(textOf(wide).split('\n')).toEqual([
      'name    mark  end',
      '日本語  👩‍👩‍👧    |',
      'Grüße   ❤️    |',
      'e\u0301te\u0301     x     |',
      '',
    ]);
  });

  test('becomes lines for each row if the terminal is too narrow', () => {
    expect(textOf(rows, 80).split('\n')).toEqual([
      'id:          rex',
      'email:       rex-the-cat@quiet-lane.example.com',
      'someEffects: mail,count,record',
      '',
      'id: a-cat-with-a-long-id-of-40-characters-00',
      '',
    ]);
  });
});
