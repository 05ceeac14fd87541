import leven from 'leven';

/**
 * The maximum number of edits per letter of the unknown name. `stgae`, which has five letters, is two edits away from
 * `stage`.
 */
const maxEditRatio = 0.4;

/** @returns a sentence preceded by a space; empty if no name is similar */
export function suggestionFor(unknown: string, names: Iterable<string>): string {
  const candidates = [...names].map((name) => ({
    name,
    edits: leven(unknown.toLowerCase(), name.toLowerCase()),
  }));
  const [nearest] = candidates.sort((a, b) => a.edits - b.edits);
  return nearest && nearest.edits <= unknown.length * maxEditRatio ? ` Did you mean "${nearest.name}"?` : '';
}
