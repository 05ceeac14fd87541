import { printable, printableJson, printableLines } from '../printable.ts';

/** A list is printed as a table, and an object as lines: see `asText`. */
export type Result = object | readonly object[];

export interface Format {
  /** The members that are masked unless the command line contains `--reveal`. */
  readonly secrets?: readonly string[];
  /** The members that the text output shows as local and relative times. */
  readonly times?: readonly string[];
  /** Returns what the text output shows for a result, or for each object in a list. */
  // biome-ignore lint/suspicious/noExplicitAny: each command has its own result
  readonly forPeople?: (result: any) => object;
}

const mask = '********';

export function masked(result: Result, { secrets = [] }: Format): Result {
  if (Array.isArray(result)) return result.map((one) => masked(one, { secrets }));
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [name, secrets.includes(name) ? mask : value]),
  );
}

export function asJson(result: Result): string {
  return `${printableJson(result, 2)}\n`;
}

export interface Layout {
  readonly heading: (text: string) => string;
  /** The maximum width of a table, in characters. */
  readonly columns: number;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * Returns the result as text for people. A list becomes a table, and an object becomes lines. If a list does not fit as a table
 * or contains a nested document, its objects become lines, too.
 */
export function asText(result: Result, format: Format, layout: Layout): string {
  if (!Array.isArray(result)) return asLines(format.forPeople?.(result) ?? result, format, layout);
  const rows: object[] = format.forPeople ? result.map(format.forPeople) : result;
  const hasDocuments = rows.some((row) => Object.values(row).some(isDocument));
  const table = hasDocuments ? undefined : asTable(rows, format, layout);
  return table ?? rows.map((row) => asLines(row, format, layout)).join('\n');
}

function asLines(result: object, format: Format, { heading, now }: Layout): string {
  const members = Object.entries(result).map(([name, value]) => ({
    label: `${printable(name)}:`,
    texts: textsOf(name, value, format, now),
  }));
  const width = Math.max(...members.map(({ label }) => widthOf(label))) + 1;
  const lines = members.flatMap(({ label, texts: [first, ...others] }) => {
    return [
      `${heading(label)}${' '.repeat(width - widthOf(label))}${first}`,
      ...others.map((text) => `${' '.repeat(width)}${text}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/** Returns undefined if the table does not fit. */
function asTable(
  rows: readonly object[],
  format: Format,
  { heading, columns, now }: Layout,
): string | undefined {
  if (rows.length === 0) return 'none\n';
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const heads = names.map(printable);
  const cells = rows.map((row) =>
    names.map((name) => textsOf(name, (row as Record<string, unknown>)[name], format, now).join(', ')),
  );
  const widths = heads.map((head, i) =>
    Math.max(...[head, ...cells.map((row) => row[i] ?? '')].map(widthOf)),
  );
  const padding = (text: string, i: number) => ' '.repeat((widths[i] ?? 0) - widthOf(text));
  const [head = '', ...others] = [heads, ...cells].map((texts) =>
    texts
      .map((text, i) => text + padding(text, i))
      .join('  ')
      .trimEnd(),
  );
  if (Math.max(...[head, ...others].map(widthOf)) > columns) return undefined;
  return [heading(head), ...others, ''].join('\n');
}

const ascii = /^[ -~]*$/;

/** Chinese, Japanese and Korean characters, fullwidth forms and emoji. They take up two columns. */
const wide =
  /[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]|\u{fe0f}/u;

/** Returns the number of columns that the text takes up on a terminal. */
function widthOf(text: string): number {
  if (ascii.test(text)) return text.length;
  // A segment is what a person sees as one character, such as a letter with its accents.
  const characters = Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment);
  return characters.reduce((sum, character) => sum + (wide.test(character) ? 2 : 1), 0);
}

/** Breaks the lines of a message between words. A line that begins with a space, such as a command to copy, stays whole. */
export function wrapWords(message: string, columns: number): string {
  const words = new RegExp(`(.{1,${columns}})( +|$)`, 'g');
  return message.replace(/^[^ \n].*$/gm, (line) => line.replace(words, '$1\n').replace(/\n$/, ''));
}

/** Returns the lines that show a value. Each time in a list becomes a line of its own. */
function textsOf(name: string, value: unknown, { times = [] }: Format, now: number): string[] {
  if (value === null || value === undefined) return ['-'];
  if (Array.isArray(value) && value.length === 0) return ['-'];
  if (times.includes(name))
    return [value].flat().map((time) => timeText(secondsOf(time as number | string), now));
  if (isDocument(value)) return [printableJson(value)];
  return printableLines(String(value)).split('\n');
}

/** Returns true if a value is an object or contains one. */
function isDocument(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isDocument) : typeof value === 'object' && value !== null;
}

/** @param time Unix seconds, or a time in ISO 8601 format */
function secondsOf(time: number | string): number {
  return typeof time === 'number' ? time : Date.parse(time) / 1000;
}

/** @param now Unix milliseconds */
export function timeText(seconds: number, now: number): string {
  const time = localTime(seconds);
  return isTime(seconds) ? `${time} (${relativeTime(seconds - now / 1000)})` : time;
}

// The Swedish format is year-month-day, with a 24-hour clock.
const localFormat = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });

/** Returns a time in this computer's time zone, such as 2026-11-23 18:30:15. */
export function localTime(seconds: number): string {
  return isTime(seconds) ? localFormat.format(seconds * 1000) : 'an invalid time';
}

function isTime(seconds: number): boolean {
  return !Number.isNaN(new Date(seconds * 1000).getTime());
}

const relativeFormat = new Intl.RelativeTimeFormat('en');

/** The length of each unit in seconds, and the number of units from which the next unit is used. */
const units = [
  ['second', 1, 60],
  ['minute', 60, 60],
  ['hour', 3600, 24],
  ['day', 86_400, 30],
  ['month', 30 * 86_400, 12],
  ['year', 365 * 86_400, Number.POSITIVE_INFINITY],
] as const;

function relativeTime(seconds: number): string {
  if (Math.round(seconds) === 0) return 'now';
  const rounded = (unit: number) => Math.sign(seconds) * Math.round(Math.abs(seconds) / unit);
  const fitting = units.find(([, unit, end]) => Math.abs(rounded(unit)) < end) ?? units[0];
  return relativeFormat.format(rounded(fitting[1]), fitting[0]);
}
