/** Figures, as they are printed and as the documentation has them. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  /** Numbers are shown as they are: round them to what they mean. */
  readonly rows: readonly (readonly (string | number)[])[];
}

/** A table in Markdown, its columns aligned: the first to the left, the others to the right. */
export function markdown({ title, columns, rows }: Table): string {
  const cells = [columns, ...rows.map((row) => row.map(String))];
  const widths = columns.map((_, i) => Math.max(3, ...cells.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, i) => (i === 0 ? (row[i] ?? '').padEnd(width) : (row[i] ?? '').padStart(width))).join(' | ')} |`;
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [`${title}:`, '', line(head), rule, ...body.map(line)].join('\n');
}
