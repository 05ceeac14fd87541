import { changeDraft } from './drafts.ts';

/** The form that the next view sends as soon as it appears. */
let tried: string | undefined;

/** Fills in a form in the next view, which then sends the form. */
export function tryForm(form: string, fields: object): void {
  changeDraft(form, fields);
  tried = form;
}

/** Returns true if the view must send the form now. Later calls return false. */
export function isTried(form: string): boolean {
  const isIt = tried === form;
  tried = undefined;
  return isIt;
}
