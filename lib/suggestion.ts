import leven from 'leven';

/**
 * The maximum number of edits from an unknown name to a suggested one, for each character of the unknown name. `stgae` is two
 * edits away from `stage`.
 */
const maxEditsPerCharacter = 0.4;

/**
 * Returns the last sentence of an error message about an unknown name. The sentence suggests the most similar known name.
 *
 * @returns the sentence with a space before it; empty if no name is similar
 */
export function suggestionFor(unknown: string, names: Iterable<string>): string {
  const candidates = [...names].map((name) => ({
    name,
    edits: leven(unknown.toLowerCase(), name.toLowerCase()),
  }));
  const [nearest] = candidates.sort((a, b) => a.edits - b.edits);
  return nearest && nearest.edits <= unknown.length * maxEditsPerCharacter
    ? ` Did you mean "${nearest.name}"?`
    : '';
}

/**
 * Returns the first sentence of the message of an error that `parseArgs` throws. For an unknown option, adds a suggestion.
 *
 * @param options the names of the known options
 */
export function commandLineProblem(error: Error, options: Iterable<string>): string {
  const [, option] = /^Unknown option '(-[^']*)'/.exec(error.message) ?? [];
  if (option === undefined) return `${error.message.split('. ')[0]?.replace(/\.$/, '')}.`;
  const flags = [...options].map((name) => `--${name}`);
  return `Unknown option "${option}".${suggestionFor(option, flags)}`;
}
