import { changeDraft } from './drafts.ts';

/** The form that the next view sends at once. */
let tried: string | undefined;

/** Fills in a form of the next view, which then sends it. */
export function tryForm(form: string, fields: object): void {
  changeDraft(form, fields);
  tried = form;
}

/** Returns true if the view must send the form now. A second call returns false. */
export function isTried(form: string): boolean {
  const isIt = tried === form;
  tried = undefined;
  return isIt;
}
