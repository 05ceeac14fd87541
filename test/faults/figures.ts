import { appendFileSync, existsSync, readFileSync } from 'node:fs';

export interface Figures {
  /** The table to which the figures belong, for example `Races`. */
  readonly part: string;
  /** The row to which the figures belong, if the table has several rows. */
  readonly of?: string;
  readonly figures: Readonly<Record<string, number>>;
}

/** True if the suite runs all of its cases, and not only those of a normal run. */
export const isThorough = process.env.THOROUGH === 'yes';

/** Appends figures to the file that `FIGURES_FILE` names, one JSON document per line. Does nothing without `FIGURES_FILE`. */
export function recordFigures(figures: Figures): void {
  const { FIGURES_FILE } = process.env;
  if (FIGURES_FILE) appendFileSync(FIGURES_FILE, `${JSON.stringify(figures)}\n`);
}

/** Returns the sums of the recorded figures, by table and row. */
export function readFigures(file: string): Figures[] {
  const recorded: Figures[] = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
  const sums = new Map<string, { part: string; of?: string; figures: Record<string, number> }>();
  for (const { part, of, figures } of recorded) {
    const key = `${part} ${of}`;
    const sum = sums.get(key) ?? { part, ...(of !== undefined && { of }), figures: {} };
    for (const [name, number] of Object.entries(figures))
      sum.figures[name] = (sum.figures[name] ?? 0) + number;
    sums.set(key, sum);
  }
  return [...sums.values()];
}
