import { readFileSync, writeFileSync } from 'node:fs';

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  /** The table shows numbers without rounding them. */
  readonly rows: readonly (readonly (string | number)[])[];
  /** Returns true for the rows that the documentation shows: by default, all. The terminal always shows all rows. */
  readonly documented?: (row: readonly (string | number)[]) => boolean;
}

/** Aligns columns of numbers to the right, except the first column. */
export function markdown({ title, columns, rows }: Table): string {
  const texts = rows.map((row) => row.map(String));
  const aligned = columns.map((column, i) => {
    const cells = texts.map((row) => row[i] ?? '');
    const width = Math.max(3, column.length, ...cells.map((cell) => cell.length));
    const isNumeric = i > 0 && cells.every((cell) => /^-?[\d.,]*$/.test(cell));
    const pad = (cell: string) => (isNumeric ? cell.padStart(width) : cell.padEnd(width));
    const rule = isNumeric ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width);
    return [pad(column), rule, ...cells.map(pad)];
  });
  const lines = Array.from(
    { length: rows.length + 2 },
    (_, n) => `| ${aligned.map((cells) => cells[n]).join(' | ')} |`,
  );
  return [`${title}:`, '', ...lines].join('\n');
}

/** Shows only the documented rows. Replaces columns that contain only zeros with a note in the title. */
export function documentation(tables: readonly Table[]): string {
  return tables
    .map(({ documented = () => true, ...table }) => ({ ...table, rows: table.rows.filter(documented) }))
    .filter(({ rows }) => rows.length > 0)
    .map((table) => markdown(withoutZeros(table)))
    .join('\n\n');
}

function withoutZeros({ title, columns, rows }: Table): Table {
  const isZero = columns.map((_, i) => rows.every((row) => String(row[i]) === '0'));
  const zeros = columns.filter((_, i) => isZero[i]);
  return {
    title: zeros.length > 0 ? `${title} (always 0: ${zeros.join('; ')})` : title,
    columns: columns.filter((_, i) => !isZero[i]),
    rows: rows.map((row) => row.filter((_, i) => !isZero[i])),
  };
}

/**
 * Replaces the text between the markers `<!-- name -->` and `<!-- end of name -->` in a file.
 *
 * @throws Error if the file does not contain the markers
 */
export function putInto(file: string, name: string, text: string): void {
  const before = readFileSync(file, 'utf8');
  const marks = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end of ${name} -->)`);
  if (!marks.test(before))
    throw new Error(
      `${file} lacks the markers <!-- ${name} --> and <!-- end of ${name} -->. Add them where the text belongs.`,
    );
  writeFileSync(
    file,
    before.replace(marks, (_, begin: string, end: string) => `${begin}\n${text}\n\n${end}`),
  );
}
