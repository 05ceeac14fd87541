import type { Result } from './command.ts';

/** How the members of a result are printed. */
export interface Format {
  /** The members that are secret. They are masked unless the operator requests them with `--reveal`. */
  readonly secrets?: readonly string[];
  /** The members that are times in Unix seconds. The text output shows them as dates. */
  readonly times?: readonly string[];
}

const mask = '********';

/** Returns the result with its secrets masked. */
export function masked(result: Result, { secrets = [] }: Format): Result {
  if (Array.isArray(result)) return result.map((one) => masked(one, { secrets }));
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [name, secrets.includes(name) ? mask : value]),
  );
}

/** Returns the result as one JSON document. */
export function asJson(result: Result): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}

/**
 * Returns the result as text for people. An object becomes one line for each member, and a list becomes a table. If an object
 * in a list contains a nested document, each object in the list becomes lines instead of a row.
 *
 * @param heading returns the style of a heading
 */
export function asText(result: Result, format: Format, heading: (text: string) => string): string {
  if (Array.isArray(result)) {
    const hasDocuments = result.some((row) => Object.values(row).some(isDocument));
    return hasDocuments
      ? result.map((row) => asText(row, format, heading)).join('\n')
      : asTable(result, format, heading);
  }
  const lines = Object.entries(result).map(
    ([name, value]) => `${heading(`${name}:`)} ${textOf(name, value, format)}\n`,
  );
  return lines.join('');
}

function asTable(rows: readonly object[], format: Format, heading: (text: string) => string): string {
  if (rows.length === 0) return 'none\n';
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) =>
    columns.map((name) => textOf(name, (row as Record<string, unknown>)[name], format)),
  );
  const widths = columns.map((name, i) => Math.max(name.length, ...cells.map((row) => row[i]?.length ?? 0)));
  const lineOf = (texts: readonly string[]) =>
    texts
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  const [head = '', ...lines] = [columns, ...cells].map(lineOf);
  return [heading(head), ...lines, ''].join('\n');
}

function textOf(name: string, value: unknown, { times = [] }: Format): string {
  if (value === null || value === undefined) return '-';
  if (times.includes(name))
    return (
      [value]
        .flat()
        .map((time) => dateOf(time as number))
        .join(', ') || '-'
    );
  if (isDocument(value)) return JSON.stringify(value);
  return Array.isArray(value) ? value.join(',') || '-' : String(value);
}

/** Returns true if a value is an object or contains one. The text output shows such a value as JSON. */
function isDocument(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isDocument) : typeof value === 'object' && value !== null;
}

/** Returns a time in ISO 8601 format, without milliseconds. @param seconds Unix seconds */
function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
