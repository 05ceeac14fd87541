import { signal } from '@preact/signals';
import { languages } from './snippets/snippet.ts';

/** The forms in which a page shows a request: the HTTP message, and a snippet in each language. */
export const requestForms = ['http', ...languages] as const;

export type RequestForm = (typeof requestForms)[number];

/** The key in the local storage. The console and the documentation page share it. */
const storageKey = 'language';

/** The form that the user has chosen for all requests. */
export const requestForm = signal<RequestForm>(
  requestForms.find((form) => form === localStorage.getItem(storageKey)) ?? 'http',
);

export function chooseRequestForm(form: RequestForm): void {
  localStorage.setItem(storageKey, form);
  requestForm.value = form;
}
