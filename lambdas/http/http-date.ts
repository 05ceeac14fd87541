const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const weekday = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const clock = '[0-9]{2}:[0-9]{2}:[0-9]{2}';

/** IMF-fixdate, RFC 850 and asctime: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7 */
const httpDates = [
  new RegExp(`^${day}, ([0-9]{2}) ${month} [0-9]{4} ${clock} GMT$`),
  new RegExp(`^${weekday}, ([0-9]{2})-${month}-[0-9]{2} ${clock} GMT$`),
  new RegExp(`^${day} ${month} ([ 0-9][0-9]) ${clock} [0-9]{4}$`),
];

export function formatHttpDate(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toUTCString();
}

/** Unix seconds; undefined if the text is not an HTTP date. */
export function httpDate(text: string): number | undefined {
  const dayOfMonth = httpDates.map((form) => form.exec(text)?.[1]).find((found) => found !== undefined);
  if (dayOfMonth === undefined) return undefined;
  const date = new Date(text.endsWith(' GMT') ? text : `${text} GMT`);
  // `Date` moves a day past the month's end into the next month.
  return date.getUTCDate() === Number(dayOfMonth) ? date.getTime() / 1000 : undefined;
}
