import { type Exchange, type FieldError, problemOf, succeeded } from '../shared/http/exchange.ts';
import type { Request } from '../shared/http/requests.ts';
import { send } from '../shared/session.ts';
import { type Child, element, fill, newId } from './dom.ts';
import type { ExchangePanel } from './exchange-panel.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Returns a control with its label, its hint and a hidden element for its error. */
export function field(label: string, control: Control, hint?: Child): HTMLElement {
  const hintId = newId();
  control.id = newId();
  if (hint) control.setAttribute('aria-describedby', hintId);
  return element(
    'div',
    { class: 'field' },
    element('label', { for: control.id }, label),
    control,
    hint && element('p', { class: 'hint', id: hintId }, hint),
    element('p', { class: 'field-error', hidden: true }),
  );
}

export function input(name: string, attributes: Record<string, string | number | boolean> = {}) {
  return element('input', { name, type: 'text', autocomplete: 'off', ...attributes });
}

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
  readonly checked?: boolean;
}

/** Returns a group of radio buttons or checkboxes. */
export function choices(
  legend: string,
  { name, type }: { name: string; type: 'checkbox' | 'radio' },
  options: readonly Choice[],
): HTMLFieldSetElement {
  return element(
    'fieldset',
    { class: 'field' },
    element('legend', {}, legend),
    ...options.map(({ value, label, hint, checked = false }) =>
      element(
        'label',
        { class: 'check' },
        element('input', { type, name, value, checked }),
        element('span', {}, label, hint && element('small', {}, hint)),
      ),
    ),
    element('p', { class: 'field-error', hidden: true }),
  );
}

/** Shows the result of an action. Screen readers announce it. */
export class Outcome {
  readonly element = element('div', { class: 'outcome', 'aria-live': 'polite' });

  show(...message: readonly Child[]): void {
    fill(this.element, element('p', { class: 'message' }, ...message));
  }

  /** Shows the reason for a failure. @param errors the errors that the form does not show beside a field */
  showProblem(exchange: Exchange, errors = problemOf(exchange).errors ?? []): void {
    const { detail } = problemOf(exchange);
    const items = errors.map((error) =>
      element('li', {}, element('code', {}, error.pointer || '/'), ` ${error.detail}`),
    );
    fill(
      this.element,
      element(
        'div',
        { class: 'problem' },
        element('p', {}, detail),
        items.length > 0 ? element('ul', {}, ...items) : undefined,
      ),
    );
  }

  clear(): void {
    fill(this.element);
  }
}

/** The parts of the page that show the request and the result of an action. */
export interface Action {
  readonly panel: ExchangePanel;
  readonly outcome: Outcome;
  /** The form that has the fields of the request. It shows the errors of the fields. */
  readonly form?: HTMLFormElement;
  /** `act` calls this with a successful exchange. */
  done(exchange: Exchange): void;
}

/** Sends a request and shows its result. */
export async function act(request: Request, { panel, outcome, form, done }: Action): Promise<void> {
  const exchange = await send(request);
  panel.show(exchange);
  if (form) clearErrors(form);
  if (succeeded(exchange)) return done(exchange);
  const { errors = [] } = problemOf(exchange);
  outcome.showProblem(exchange, form ? showErrors(form, errors) : errors);
}

/**
 * Returns a function that starts `run`, unless `run` is still in progress. The busy button is not disabled, because a disabled
 * button loses the focus.
 */
export function once(run: () => Promise<void>, busy: () => Element | null | undefined): () => void {
  let running = false;
  return async () => {
    if (running) return;
    running = true;
    busy()?.setAttribute('aria-busy', 'true');
    try {
      await run();
    } finally {
      busy()?.removeAttribute('aria-busy');
      running = false;
    }
  };
}

/** Runs a function when the user submits the form. The browser itself does not send the form. */
export function onSubmit(form: HTMLFormElement, run: () => Promise<void>): void {
  const start = once(run, () => form.querySelector('button:not([type=button])'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    start();
  });
}

/** Shows the request of a form while the user fills in the form, until the user submits it. */
export function previewUntilSent(form: HTMLFormElement, panel: ExchangePanel, request: () => Request): void {
  const preview = () => panel.preview(request());
  preview();
  form.addEventListener('input', preview);
  form.addEventListener('submit', () => form.removeEventListener('input', preview));
}

function clearErrors(form: HTMLFormElement): void {
  for (const control of form.querySelectorAll('[aria-invalid]')) control.removeAttribute('aria-invalid');
  for (const error of form.querySelectorAll<HTMLElement>('.field-error')) error.hidden = true;
}

/** Shows each error beside its field, and focuses the first of these fields. @returns the errors without a field */
function showErrors(form: HTMLFormElement, errors: readonly FieldError[]): FieldError[] {
  const places = errors.map((error) => ({ error, control: controlOf(form, error) }));
  for (const { error, control } of places) if (control) showError(control, error.detail);
  places.find(({ control }) => control)?.control?.focus();
  return places.flatMap(({ error, control }) => (control ? [] : [error]));
}

/**
 * Returns the control for an error. If several fields in the path of the error have a control, returns that of the innermost
 * field.
 */
function controlOf(form: HTMLFormElement, { pointer }: FieldError): Control | undefined {
  const controls = [...form.querySelectorAll<Control>('[name]')];
  const names = pointer.split('/').reverse();
  return names.map((name) => controls.find((control) => control.name === name)).find((control) => control);
}

function showError(control: Control, detail: string): void {
  const place = control.closest('.field')?.querySelector<HTMLElement>('.field-error');
  if (!place) return;
  place.id ||= newId();
  place.hidden = false;
  fill(place, detail);
  control.setAttribute('aria-invalid', 'true');
  const others = (control.getAttribute('aria-describedby') ?? '').split(' ');
  control.setAttribute('aria-describedby', [...new Set([...others, place.id])].join(' ').trim());
}
