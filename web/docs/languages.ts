import { effect } from '@preact/signals';
import { chooseRequestForm, requestForm } from '../shared/http/language.ts';
import { languages } from '../shared/http/snippets/snippet.ts';

/** Connects the language buttons, and shows all examples in the language that the reader chose last. */
export function connectLanguages(): void {
  effect(() => {
    const shown = requestForm.value === 'http' ? 'curl' : requestForm.value;
    document.documentElement.dataset.language = shown;
    for (const button of document.querySelectorAll<HTMLElement>('[data-select]'))
      button.setAttribute('aria-pressed', String(button.dataset.select === shown));
  });
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('[data-select]');
    const language = languages.find((name) => name === button?.dataset.select);
    if (!button || !language) return;
    const before = button.getBoundingClientRect().top;
    chooseRequestForm(language);
    // The examples above may now differ in height. Scrolling keeps the button where the reader pressed it.
    scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' });
  });
}
