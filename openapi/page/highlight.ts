import { createRequire } from 'node:module';

// Importing the package would add the DOM's types to the whole project.
const load = createRequire(import.meta.url);

interface Highlighter {
  registerLanguage(name: string, grammar: unknown): void;
  getLanguage(name: string): unknown;
  highlight(text: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}

const highlighter: Highlighter = load('highlight.js/lib/core');

for (const language of ['bash', 'http', 'json', 'python', 'typescript'])
  highlighter.registerLanguage(language, load(`highlight.js/lib/languages/${language}`));

/** Returns HTML, or undefined if the language is unknown. */
export function highlighted(text: string, language: string): string | undefined {
  if (!highlighter.getLanguage(language)) return undefined;
  return withoutUnstyled(highlighter.highlight(text, { language, ignoreIllegals: true }).value);
}

/** The kinds of tokens for which `web/docs/code.css` defines a color. */
const styled =
  /^hljs-(?:attr|attribute|built_in|comment|keyword|literal|meta|number|property|regexp|string)$/;

/** Removes the elements around tokens without a color. Most tokens have no color. */
function withoutUnstyled(markup: string): string {
  const isKept: boolean[] = [];
  return markup.replace(/<span class="([^"]*)">|<\/span>/g, (tag, kind?: string) => {
    if (kind !== undefined) isKept.push(styled.test(kind));
    return (kind === undefined ? isKept.pop() : isKept.at(-1)) ? tag : '';
  });
}
