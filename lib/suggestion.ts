import leven from 'leven';

/** How many edits per character a name may be away from the unknown one. `stgae` is two edits away from `stage`. */
const maxEditsPerCharacter = 0.4;

/**
 * Returns a sentence that suggests the known name that is most similar to an unknown one, for the end of an error message.
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
 * Returns the message of an error that `parseArgs` throws, in one sentence. For an unknown option, it adds a suggestion.
 *
 * @param options the names of the known options
 */
export function commandLineProblem(error: Error, options: Iterable<string>): string {
  const [, option] = /^Unknown option '(-[^']*)'/.exec(error.message) ?? [];
  if (option === undefined) return `${error.message.split('. ')[0]?.replace(/\.$/, '')}.`;
  const flags = [...options].map((name) => `--${name}`);
  return `Unknown option "${option}".${suggestionFor(option, flags)}`;
}
