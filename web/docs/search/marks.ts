export interface Part {
  readonly text: string;
  readonly isMatch: boolean;
}

/** @param pattern a regular expression with the flag `g` */
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
 * Marks the terms where they begin a word. Ignores case.
 *
 * @param terms words of letters, digits, hyphens and underscores
 */
export function markTerms(text: string, terms: readonly string[]): Part[] {
  return terms.length === 0 ? [{ text, isMatch: false }] : partsOf(text, termPattern(terms));
}

/** Matches one of the terms at the beginning of a word. Prefers longer terms. */
function termPattern(terms: readonly string[]): RegExp {
  const alternatives = [...terms].sort((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})`, 'giu');
}

/** In characters, without the ellipses. */
const excerptLength = 130;

/**
 * Returns the paragraph that contains the most terms. Shortens a long one to the text around its first match.
 *
 * @param text paragraphs, one per line
 */
export function excerptOf(text: string, terms: readonly string[]): string {
  const paragraphs = text.split('\n');
  const counts = paragraphs.map((paragraph) => countOf(paragraph, terms));
  const best = paragraphs[counts.indexOf(Math.max(...counts))] ?? '';
  if (best.length <= excerptLength) return best;
  const first = terms.length === 0 ? 0 : Math.max(0, best.search(termPattern(terms)));
  // About a third of the excerpt comes before the match.
  const earliest = Math.max(0, Math.min(first - excerptLength / 3, best.length - excerptLength));
  const start = earliest === 0 ? 0 : best.lastIndexOf(' ', Math.min(earliest + 15, first)) + 1;
  const latest = start + excerptLength;
  const space = best.lastIndexOf(' ', latest);
  const end = latest >= best.length ? best.length : space > start ? space : latest;
  return `${start > 0 ? '… ' : ''}${best.slice(start, end)}${end < best.length ? ' …' : ''}`;
}

/** Returns how many of the terms a paragraph contains. Does not count terms that begin with another term. */
function countOf(paragraph: string, terms: readonly string[]): number {
  return terms.filter(
    (term) =>
      !terms.some((other) => other !== term && term.startsWith(other)) && termPattern([term]).test(paragraph),
  ).length;
}
