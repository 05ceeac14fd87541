import { createRequire } from 'node:module';
import { type Language, languageNames, languages } from '../../web/shared/http/snippets/snippet.ts';
import { type Html, html } from './html.ts';

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

/** Highlights the code if the page supports the language. `web/docs/code.css` defines the colors. */
export function codeBlock(text: string, language = 'text'): Html {
  if (!highlighter.getLanguage(language)) return html`<pre><code>${text}</code></pre>`;
  const markup = highlighter.highlight(text, { language, ignoreIllegals: true }).value;
  return html`<pre><code>${{ html: markup }}</code></pre>`;
}

/** Buttons select the language. Without scripts, browsers show all languages. */
export function example(texts: Readonly<Record<Language, string>>, title?: Html): Html {
  const buttons = languages.map(
    (language) =>
      html`<button type="button" data-select="${language}" aria-pressed="${String(language === 'curl')}">${languageNames[language]}</button>`,
  );
  const blocks = languages.map(
    (language) =>
      html`<div class="snippet" data-language="${language}"><p class="language">${languageNames[language]}</p>${codeBlock(texts[language], language === 'curl' ? 'bash' : language)}</div>`,
  );
  const choice = html`<div class="languages" role="group" aria-label="Language">${buttons}</div>`;
  return figure(html`${blocks}`, title, choice);
}

/** The page's script adds a button that copies the code. */
export function figure(code: Html, title?: Html | string, controls?: Html): Html {
  const name = title && html`<span class="title">${title}</span>`;
  return html`<figure class="code"><figcaption>${name}${controls}</figcaption>${code}</figure>\n`;
}
