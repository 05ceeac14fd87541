import { signal } from '@preact/signals';
import { languages } from './snippets/snippet.ts';

export const requestForms = ['http', ...languages] as const;

export type RequestForm = (typeof requestForms)[number];

/** The console and the documentation page share this key in local storage. */
const storageKey = 'language';

export const requestForm = signal<RequestForm>(
  requestForms.find((form) => form === localStorage.getItem(storageKey)) ?? 'http',
);

export function chooseRequestForm(form: RequestForm): void {
  localStorage.setItem(storageKey, form);
  requestForm.value = form;
}
