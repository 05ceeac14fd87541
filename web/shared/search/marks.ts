/** A part of a text. The page marks the parts that match a query. */
export interface Part {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Returns a text in parts: each occurrence of a pattern is a match. @param pattern a regular expression with the flag g */
function partsOf(text: string, pattern: RegExp): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    parts.push({ text: text.slice(end, index), isMatch: false }, { text: found, isMatch: true });
    end = index + found.length;
  }
  parts.push({ text: text.slice(end), isMatch: false });
  return parts.filter((part) => part.text !== '');
}

/**
 * Returns a text in parts, in which the word beginnings equal to one of the terms are matches. Ignores case.
 *
 * @param terms words of letters, digits, hyphens and underscores
 */
export function markTerms(text: string, terms: readonly string[]): Part[] {
  return terms.length === 0 ? [{ text, isMatch: false }] : partsOf(text, termPattern(terms));
}

/** Returns a text in parts, in which the first occurrence of a query is a match. Ignores case. */
export function markSubstring(text: string, query: string): Part[] {
  const start = query === '' ? -1 : text.toLowerCase().indexOf(query.toLowerCase());
  if (start < 0) return [{ text, isMatch: false }];
  const end = start + query.length;
  return [
    { text: text.slice(0, start), isMatch: false },
    { text: text.slice(start, end), isMatch: true },
    { text: text.slice(end), isMatch: false },
  ].filter((part) => part.text !== '');
}

/** Returns the pattern of words that begin with one of the terms. It prefers longer terms. */
function termPattern(terms: readonly string[]): RegExp {
  const alternatives = [...terms].sort((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})`, 'giu');
}

/** The maximum length of an excerpt, in characters. */
const excerptLength = 130;

/**
 * Returns the part of a text that best shows why the text matches. This is the paragraph with the most terms, shortened to the
 * text around its first match.
 *
 * @param text paragraphs, one per line
 */
export function excerptOf(text: string, terms: readonly string[]): string {
  const paragraphs = text.split('\n');
  const counts = paragraphs.map((paragraph) => countOf(paragraph, terms));
  const best = paragraphs[counts.indexOf(Math.max(...counts))] ?? '';
  if (best.length <= excerptLength) return best;
  const first = terms.length === 0 ? 0 : Math.max(0, best.search(termPattern(terms)));
  // A third of the excerpt comes before the match.
  const earliest = Math.max(0, Math.min(first - excerptLength / 3, best.length - excerptLength));
  const start = earliest === 0 ? 0 : best.lastIndexOf(' ', Math.min(earliest + 15, first)) + 1;
  const latest = start + excerptLength;
  const space = best.lastIndexOf(' ', latest);
  const end = latest >= best.length ? best.length : space > start ? space : latest;
  return `${start > 0 ? '… ' : ''}${best.slice(start, end)}${end < best.length ? ' …' : ''}`;
}

/** Returns how many of the terms a paragraph contains. A term that begins with another term does not count. */
function countOf(paragraph: string, terms: readonly string[]): number {
  return terms.filter(
    (term) =>
      !terms.some((other) => other !== term && term.startsWith(other)) && termPattern([term]).test(paragraph),
  ).length;
}
