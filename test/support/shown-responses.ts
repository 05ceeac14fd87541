import type { Language } from '../../web/shared/http/snippets/snippet.ts';

export interface Shown {
  readonly status: string;
  readonly fields?: readonly string[];
  /** The body, as the service sends it. */
  readonly body: string;
}

/** Returns the parts of the output of an example that print a response. Only curl prints the header fields. */
export function printed({ status, fields = [], body }: Shown, language: Language): string[] {
  const parts = language === 'curl' ? [` ${status} `, ...fields, body] : [`\n${status}`, body];
  return parts.filter(Boolean);
}

/** Returns the first text that the output does not contain after the preceding texts, or undefined if it contains all. */
export function firstMissing(texts: readonly string[], output: string): string | undefined {
  let position = 0;
  return texts.find((one) => {
    const pattern = patternOf(one);
    pattern.lastIndex = position;
    const isFound = pattern.test(output);
    position = pattern.lastIndex;
    return !isFound;
  });
}

/** Returns a pattern for text in which `…` replaces a part, and times, lifetimes and ULIDs may differ. */
function patternOf(shown: string): RegExp {
  const escaped = shown.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(
    escaped
      .replaceAll('…', '.*?')
      .replace(/\b\d{4,}\b/g, '\\d+')
      .replace(/\b([as]?)01[0-9A-HJKMNP-TV-Z]{24}\b/g, '$101[0-9A-Z]{24}'),
    'gi',
  );
}
