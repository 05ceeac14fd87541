import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** The figures of a test of this suite. */
export interface Figures {
  /** The table of the figures, for example `Races`. */
  readonly part: string;
  /** The row of the table, if it has several. */
  readonly of?: string;
  readonly figures: Readonly<Record<string, number>>;
}

/** True if the suite runs all its cases, and not only those of a normal run. */
export const isThorough = process.env.THOROUGH === 'yes';

/** Appends figures to the file that `FIGURES_FILE` names, one JSON document per line. Without it, does nothing. */
export function recordFigures(figures: Figures): void {
  const { FIGURES_FILE } = process.env;
  if (FIGURES_FILE) appendFileSync(FIGURES_FILE, `${JSON.stringify(figures)}\n`);
}

/** Returns the recorded figures, summed up by part and row. */
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
