import { formatHttpDate, httpDate } from '../../../lambdas/http/http-date.ts';

const now = Date.UTC(2026, 10, 21, 12);

/** The date that the service shows for another date. */
function read(text: string, at = now): string | undefined {
  const seconds = httpDate(text, at);
  return seconds === undefined ? undefined : formatHttpDate(seconds);
}

const valid: readonly (readonly [text: string, read: string])[] = [
  // The examples of RFC 9110 section 5.6.7.
  ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sun, 06 Nov 1994 08:49:37 GMT'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 'Sun, 06 Nov 1994 08:49:37 GMT'],
  ['Sun Nov  6 08:49:37 1994', 'Sun, 06 Nov 1994 08:49:37 GMT'],
  ['Wed Nov 16 08:49:37 1994', 'Wed, 16 Nov 1994 08:49:37 GMT'],
  ['Sun Nov 06 08:49:37 1994', 'Sun, 06 Nov 1994 08:49:37 GMT'],
  // Unix time has no leap seconds.
  ['Sat, 31 Dec 2016 23:59:60 GMT', 'Sun, 01 Jan 2017 00:00:00 GMT'],
  ['Saturday, 31-Dec-16 23:59:60 GMT', 'Sun, 01 Jan 2017 00:00:00 GMT'],
  ['Sat Dec 31 23:59:60 2016', 'Sun, 01 Jan 2017 00:00:00 GMT'],
  ['Sun Nov  6 08:49:60 2033', 'Sun, 06 Nov 2033 08:50:00 GMT'],
  // Every year of four digits.
  ['Sat, 01 Jan 0000 00:00:00 GMT', 'Sat, 01 Jan 0000 00:00:00 GMT'],
  ['Mon, 01 Jan 0001 00:00:00 GMT', 'Mon, 01 Jan 0001 00:00:00 GMT'],
  ['Fri Jan  1 00:00:00 0099', 'Thu, 01 Jan 0099 00:00:00 GMT'],
  ['Tue, 29 Feb 0096 00:00:00 GMT', 'Wed, 29 Feb 0096 00:00:00 GMT'],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  // The last days of months.
  ['Thu, 29 Feb 2024 12:00:00 GMT', 'Thu, 29 Feb 2024 12:00:00 GMT'],
  ['Tue, 29 Feb 2000 12:00:00 GMT', 'Tue, 29 Feb 2000 12:00:00 GMT'],
  ['Tue, 30 Jun 2026 12:00:00 GMT', 'Tue, 30 Jun 2026 12:00:00 GMT'],
  // The day of the week has no effect.
  ['Mon, 21 Nov 2026 12:00:00 GMT', 'Sat, 21 Nov 2026 12:00:00 GMT'],
];

const clocks = ['08:49:61', '08:49:99', '08:60:00', '24:00:00', '29:00:00', '8:49:37', '08:49', '08:49:37.5'];

const invalid: readonly string[] = [
  ...clocks.flatMap((clock) => [
    `Sun, 06 Nov 2033 ${clock} GMT`,
    `Sunday, 06-Nov-33 ${clock} GMT`,
    `Sun Nov  6 ${clock} 2033`,
  ]),
  'Tue, 31 Feb 2026 12:00:00 GMT',
  'Sat, 29 Feb 2026 12:00:00 GMT',
  'Mon, 29 Feb 2100 12:00:00 GMT',
  'Wed, 31 Jun 2026 12:00:00 GMT',
  'Fri, 00 Jan 2027 12:00:00 GMT',
  'Mon, 32 Jan 2026 12:00:00 GMT',
  'Saturday, 29-Feb-26 12:00:00 GMT',
  'Sat Feb 29 12:00:00 2026',
  'Sun Nov    08:49:37 1994',
  'Sat, 21 Nov 2026 12:00:00',
  'Sat, 21 Nov 2026 12:00:00 UTC',
  'Sat, 21 Nov 2026 12:00:00 gmt',
  'Sat, 21 Nov 2026 12:00:00 GMT+1',
  'Sat, 21 Nov 2026 12:00:00 +0000',
  'sat, 21 nov 2026 12:00:00 GMT',
  'Sat,  21 Nov 2026 12:00:00 GMT',
  'Sat, 1 Nov 2026 12:00:00 GMT',
  'Sat, 21 Nov 26 12:00:00 GMT',
  'Sat, 21 Nov 02026 12:00:00 GMT',
  'Saturday, 21-Nov-2026 12:00:00 GMT',
  'Sat Nov 21 12:00:00 2026 GMT',
  'Saturday Nov 21 12:00:00 2026',
  'Sat Nov 21 12:00:00 26',
  ' Sat, 21 Nov 2026 12:00:00 GMT',
  'Sat, 21 Nov 2026 12:00:00 GMT\n',
  '2026-11-21T12:00:00Z',
  '1795262400',
  '',
];

describe('httpDate', () => {
  test.each(valid)('reads %s as %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test.each(invalid)('does not accept %j', (text) => {
    expect(read(text)).toBeUndefined();
  });

  // https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7-10
  test.each<[string, number, string]>([
    ['Saturday, 21-Nov-26 12:00:00 GMT', now, 'Sat, 21 Nov 2026 12:00:00 GMT'],
    ['Saturday, 21-Nov-76 12:00:00 GMT', now, 'Sat, 21 Nov 2076 12:00:00 GMT'],
    ['Sunday, 21-Nov-76 12:00:01 GMT', now, 'Sun, 21 Nov 1976 12:00:01 GMT'],
    ['Friday, 31-Dec-99 23:59:59 GMT', now, 'Fri, 31 Dec 1999 23:59:59 GMT'],
    ['Tuesday, 29-Feb-00 00:00:00 GMT', now, 'Tue, 29 Feb 2000 00:00:00 GMT'],
    ['Tuesday, 29-Feb-00 00:00:00 GMT', Date.UTC(2060, 0), 'Tue, 29 Feb 2000 00:00:00 GMT'],
    ['Wednesday, 01-Jan-10 00:00:00 GMT', Date.UTC(2090, 0), 'Wed, 01 Jan 2110 00:00:00 GMT'],
  ])('reads the year of %s at %d as one that is at most 50 years later: %s', (text, at, expected) => {
    expect(read(text, at)).toBe(expected);
  });
});
