import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** What a test of this suite counted: names of figures, with their numbers. */
export interface Figures {
  /** What they are of, such as `races`. */
  readonly part: string;
  /** A line of the part's table, where it has several. */
  readonly of?: string;
  readonly figures: Readonly<Record<string, number>>;
}

/** True where the suite is to try all that it can, rather than what is enough for every day. */
export const isThorough = process.env.THOROUGH === 'yes';

/** Keeps figures for the end of the suite, if it is to tell them: the file that `FIGURES_FILE` names holds one a line. */
export function tell(figures: Figures): void {
  const { FIGURES_FILE } = process.env;
  if (FIGURES_FILE) appendFileSync(FIGURES_FILE, `${JSON.stringify(figures)}\n`);
}

/** All that was told, the figures of the same name summed up. */
export function readFigures(file: string): Figures[] {
  const told: Figures[] = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
  const sums = new Map<string, { part: string; of?: string; figures: Record<string, number> }>();
  for (const { part, of, figures } of told) {
    const key = `${part} ${of}`;
    const sum = sums.get(key) ?? { part, ...(of !== undefined && { of }), figures: {} };
    for (const [name, number] of Object.entries(figures))
      sum.figures[name] = (sum.figures[name] ?? 0) + number;
    sums.set(key, sum);
  }
  return [...sums.values()];
}
