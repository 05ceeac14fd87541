/** A word or phrase that the project's prose does not use. */
export interface Rule {
  readonly pattern: RegExp;
  /** What to write instead. */
  readonly instead: string;
}

/**
 * The words that this project does not use in prose, comments and strings. Each of them hides the actor of a sentence, is
 * archaic, or has a synonym that is a term of the field.
 */
export const rules: readonly Rule[] = [
  { pattern: /\banew\b/gi, instead: '"again"' },
  { pattern: /\blest\b/gi, instead: '"so that … not"' },
  { pattern: /\bno more\b(?! than)/gi, instead: '"no longer"' },
  { pattern: /\bbears?\b|\bborne\b/gi, instead: '"has"' },
  { pattern: /\bwho(?:ever|m|mever)?\b/gi, instead: 'the actor: the client, the operator, the function' },
  { pattern: /\b(?:no|some|any)body\b/gi, instead: 'the actor: the client, the operator, the function' },
  { pattern: /\bwhat is left\b/gi, instead: 'what it is: "the remaining items"' },
  { pattern: /\btells?\b|\btold\b|\btelling\b/gi, instead: '"returns", "shows", "reports" or "states"' },
  { pattern: /\bsays?\b|\bsaid\b/gi, instead: '"states", "returns" or "checks"' },
  { pattern: /\banswer(?:s|ed|ing)?\b/gi, instead: '"responds" or "response"' },
  { pattern: /\bstands\b|\blies\b/gi, instead: '"is"' },
  { pattern: /\balso (?:where|when|if)\b/gi, instead: '"even if"' },
  { pattern: /\bslots?\b/gi, instead: '"occurrence"' },
  { pattern: /\bleftovers?\b/gi, instead: '"orphans"' },
];

/** A place where a rule is broken. */
export interface Finding {
  /** The line in the text, from 1. */
  readonly line: number;
  readonly found: string;
  readonly instead: string;
}

/**
 * Returns the places in a text where a rule is broken, in order.
 *
 * @param firstLine the line number of the first line of the text
 */
export function findingsIn(text: string, firstLine = 1): Finding[] {
  const findings = rules.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ index, found, instead })),
  );
  return findings
    .sort((a, b) => a.index - b.index)
    .map(({ index, found, instead }) => ({
      line: firstLine + (text.slice(0, index).match(/\n/g)?.length ?? 0),
      found,
      instead,
    }));
}
