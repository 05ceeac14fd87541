import { readFileSync, writeFileSync } from 'node:fs';

/** Figures, as they are printed and as the documentation has them. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  /** Numbers are shown as they are: round them to what they mean. */
  readonly rows: readonly (readonly (string | number)[])[];
}

/** A table in Markdown, its columns aligned: those of numbers to the right. */
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

/** Puts a text between the marks that a document has for it: `<!-- name -->` and `<!-- end of name -->`. */
export function putInto(file: string, name: string, text: string): void {
  const before = readFileSync(file, 'utf8');
  const marks = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end of ${name} -->)`);
  if (!marks.test(before)) throw new Error(`${file} has no place for ${name}.`);
  writeFileSync(
    file,
    before.replace(marks, (_, begin: string, end: string) => `${begin}\n${text}\n\n${end}`),
  );
}
