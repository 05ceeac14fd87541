/** This project uses one term for each thing. The pattern matches a synonym to replace. */
interface Rule {
  readonly pattern: RegExp;
  readonly instead: string;
}

const glossary: readonly Rule[] = [
  { pattern: /\bslots?\b/gi, instead: '"occurrence"' },
  { pattern: /\bleftovers?\b/gi, instead: '"orphans"' },
  { pattern: /\bkennels?\b/gi, instead: '"race harness"' },
  { pattern: /\bkeepers?\b/gi, instead: '"actor"' },
  { pattern: /\bpatience\b/gi, instead: 'the thing and its unit: "tokenEndpointTimeoutMs"' },
  { pattern: /\bli(?:fe|ves) of (?:a|the|its|each) dog\b/gi, instead: '"incarnation"' },
  { pattern: /\bgenerations? of (?:a|the|its|each) schedule\b/gi, instead: '"scheduleId"' },
  { pattern: /\bkeyed requests?\b|\bmemory of (?:a|the) key\b/gi, instead: '"idempotency record"' },
  { pattern: /\bdead letters\b/gi, instead: '"dead-letter messages"' },
];

export interface Finding {
  /** The line number, counted from `firstLine`. */
  readonly line: number;
  readonly found: string;
  readonly instead: string;
}

/**
 * Returns the words to replace, in order.
 *
 * @param firstLine the number of the text's first line
 */
export function findingsIn(text: string, firstLine = 1): Finding[] {
  const findings = glossary.flatMap(({ pattern, instead }) =>
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
