import { type Language, languageNames, languages } from '../../web/shared/http/snippets/snippet.ts';
import { highlighted } from './highlight.ts';
import { type Html, html } from './html.ts';

/** Highlights the code if the page supports the language. */
export function codeBlock(text: string, language = 'text'): Html {
  const markup = highlighted(text, language);
  const code = markup === undefined ? text : { html: markup };
  return html`<pre><code>${code}</code></pre>`;
}

/** Buttons select the language. Without scripts, browsers show all languages. */
export function example(texts: Readonly<Record<Language, string>>, title?: Html): Html {
  const buttons = languages.map(
    (language) =>
      html`<button type="button" data-select="${language}" aria-pressed="${String(language === 'curl')}">${languageNames[language]}</button>`,
  );
  const blocks = languages.map(
    (language) =>
      html`<div class="snippet" data-language="${language}"><p class="language">${languageNames[language]}</p>${codeBlock(texts[language], grammars[language])}</div>`,
  );
  const choice = html`<div class="languages" role="group" aria-label="Language">${buttons}</div>`;
  return figure(html`${blocks}`, title, choice);
}

/** highlight.js's names for the languages. */
const grammars: Readonly<Record<Language, string>> = {
  curl: 'bash',
  typescript: 'typescript',
  python: 'python',
};

/** The page's script adds a button that copies the code. */
export function figure(code: Html, title?: Html | string, controls?: Html): Html {
  const name = title && html`<span class="title">${title}</span>`;
  return html`<figure class="code"><figcaption>${name}${controls}</figcaption>${code}</figure>\n`;
}
