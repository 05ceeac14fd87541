const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const weekday = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const month = `(?<month>${months.join('|')})`;
/** The second 60 is a leap second. */
const clock = '(?<hour>[01][0-9]|2[0-3]):(?<minute>[0-5][0-9]):(?<second>[0-5][0-9]|60)';

/** IMF-fixdate, RFC 850 and asctime: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7 */
const httpDates = [
  new RegExp(`^${day}, (?<date>[0-9]{2}) ${month} (?<year>[0-9]{4}) ${clock} GMT$`),
  new RegExp(`^${weekday}, (?<date>[0-9]{2})-${month}-(?<year>[0-9]{2}) ${clock} GMT$`),
  new RegExp(`^${day} ${month} (?<date>[ 0-9][0-9]) ${clock} (?<year>[0-9]{4})$`),
];

export function formatHttpDate(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toUTCString();
}

/**
 * Unix seconds; undefined if the text is not an HTTP date. A leap second counts as the second that follows it, because Unix time
 * has no leap seconds. A wrong day of the week is accepted.
 *
 * @param now milliseconds since 1970. The year of an RFC 850 date is at most 50 years later
 */
export function httpDate(text: string, now: number): number | undefined {
  const fields = httpDates.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  const { year = '' } = fields ?? {};
  if (!fields || year.length === 4) return fields && secondsIn(Number(year), fields);
  const limit = new Date(now);
  const century = limit.getUTCFullYear() - (limit.getUTCFullYear() % 100);
  limit.setUTCFullYear(limit.getUTCFullYear() + 50);
  return [century + 100, century, century - 100]
    .map((first) => secondsIn(first + Number(year), fields))
    .find((seconds) => seconds !== undefined && seconds * 1000 <= limit.getTime());
}

/** Undefined if the year does not have the day. */
function secondsIn(year: number, fields: Readonly<Record<string, string>>): number | undefined {
  const [date, hour, minute, second] = ['date', 'hour', 'minute', 'second'].map((name) =>
    Number(fields[name]),
  );
  const time = new Date(0);
  // `Date.UTC` would move the years 0 to 99 to the 20th century.
  time.setUTCFullYear(year, months.indexOf(fields.month ?? ''), date);
  if (time.getUTCDate() !== date) return undefined;
  return time.setUTCHours(hour as number, minute, second) / 1000;
}
