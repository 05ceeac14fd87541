/** A word or phrase that the project's prose does not use. */
export interface Rule {
  readonly pattern: RegExp;
  /** What to write instead. */
  readonly instead: string;
}

/** The words that the glossary replaces. */
const glossary: readonly Rule[] = [
  { pattern: /\bslots?\b/gi, instead: '"occurrence"' },
  { pattern: /\bleftovers?\b/gi, instead: '"orphans"' },
  { pattern: /\bnoted\b/gi, instead: '"history entry" or "in the history"' },
  { pattern: /\btid(?:y|ies|ied|ying)\b/gi, instead: '"delete (best effort)"' },
  { pattern: /\bg(?:ive|ives|ave|iving|iven) up\b/gi, instead: '"fail"' },
  { pattern: /\bkennels?\b/gi, instead: '"race harness"' },
  { pattern: /\bkeepers?\b/gi, instead: '"actor"' },
  { pattern: /\bpatience\b/gi, instead: 'the thing and its unit: "tokenEndpointTimeoutMs"' },
];

/**
 * The words that this project does not use in prose, comments and strings. Each of them hides the actor of a sentence, is
 * archaic, or has a synonym that is a term of the field.
 */
export const proseRules: readonly Rule[] = [
  ...glossary,
  { pattern: /\banew\b/gi, instead: '"again"' },
  { pattern: /\bStarted again\b/g, instead: '"restart", in a sentence with a subject' },
  { pattern: /\blest\b/gi, instead: '"so that … not"' },
  { pattern: /\bno more\b(?! than)/gi, instead: '"no longer"' },
  { pattern: /\bbears?\b|\bborne\b/gi, instead: '"has"' },
  { pattern: /\bwho(?:ever|m|mever)?\b/gi, instead: 'the actor: the client, the operator, the function' },
  { pattern: /\b(?:no|some|any)body\b/gi, instead: 'the actor: the client, the operator, the function' },
  { pattern: /\bwhat (?:is left|could not)\b/gi, instead: 'what it is: "the remaining items"' },
  { pattern: /\bwhatever (?:is|was|are|were)\b/gi, instead: '"even if"' },
  { pattern: /\btells?\b|\btold\b|\btelling\b/gi, instead: '"returns", "shows", "reports" or "states"' },
  { pattern: /\bsays?\b|\bsaid\b/gi, instead: '"states", "returns" or "checks"' },
  { pattern: /\banswer(?:s|ed|ing)?\b/gi, instead: '"responds" or "response"' },
  { pattern: /\blets? (?:\w+ ){0,2}pass\b/gi, instead: '"authorizes" or "accepts"' },
  { pattern: /\bstands\b|\blies\b/gi, instead: '"is"' },
  { pattern: /\balso (?:where|when|if)\b/gi, instead: '"even if"' },
  { pattern: /\bIn use (?:is|are)\b/g, instead: 'the subject first' },
  {
    pattern: /\bas (?:it|they) (?:was|were|should be)\b(?=[.,;:!?)]|$)/gim,
    instead: 'the state: "unchanged", "invalid"',
  },
  { pattern: /\bThere is no \w+ of the dog\b/gi, instead: '"The dog has not … yet"' },
  { pattern: /\bli(?:fe|ves) of (?:a|the|its|each) dog\b/gi, instead: '"incarnation"' },
  { pattern: /\bgenerations? of (?:a|the|its|each) schedule\b/gi, instead: '"scheduleId"' },
  { pattern: /\bkeyed requests?\b|\bmemory of (?:a|the) key\b/gi, instead: '"idempotency record"' },
  { pattern: /\bUn(?:barked|purged)\b/g, instead: 'the dead-letter queue: "BarkDlq", "PurgeDlq"' },
  { pattern: /\bdead letters?\b/gi, instead: '"dead-letter message"' },
  {
    pattern:
      /^\/\*\*[\s*]*(?:Add|Call|Check|Create|Delete|Get|Make|Put|Read|Return|Run|Send|Set|Start|Stop|Throw|Wait|Write) /g,
    instead: 'the first sentence in the third person',
  },
  { pattern: /@throws(?: \{?\w+\}?)?(?= *(?:\*\/|\n))/g, instead: 'the condition of the error' },
];

/** The words that this project does not use in names. The name `lastSlot` has the words "last" and "Slot". */
export const nameRules: readonly Rule[] = [
  ...glossary,
  { pattern: /\bbark (?:now|later)\b/gi, instead: '"sync" or "async"' },
  { pattern: /\btake effect\b/gi, instead: '"perform"' },
  { pattern: /\bfirst outcome\b/gi, instead: '"idempotency record"' },
  { pattern: /\bjudged need\b/gi, instead: '"AuthorizationDecision"' },
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
export function findingsIn(text: string, rules = proseRules, firstLine = 1): Finding[] {
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
