import { type Child, element, fill, newId } from './dom.ts';
import { type Exchange, type Fault, problemOf, succeeded } from './exchange.ts';
import type { ExchangePanel } from './exchange-panel.ts';
import type { Request } from './requests.ts';
import { send } from './session.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Returns a control with its label, its hint and a place for its error. */
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
    element('p', { class: 'fault', hidden: true }),
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

/** Returns radio buttons or checkboxes that share a name. */
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
    element('p', { class: 'fault', hidden: true }),
  );
}

/** Shows the result of an action. Screen readers read it aloud. */
export class Outcome {
  readonly element = element('div', { class: 'outcome', 'aria-live': 'polite' });

  tell(...words: readonly Child[]): void {
    fill(this.element, element('p', { class: 'told' }, ...words));
  }

  /**
   * Shows the problem of a response.
   *
   * @param errors the field errors that no field shows
   */
  tellProblem(exchange: Exchange, errors = problemOf(exchange).errors ?? []): void {
    const { detail } = problemOf(exchange);
    const faults = errors.map((fault) =>
      element('li', {}, element('code', {}, fault.pointer || '/'), ` ${fault.detail}`),
    );
    fill(
      this.element,
      element(
        'div',
        { class: 'problem' },
        element('p', {}, detail),
        faults.length > 0 ? element('ul', {}, ...faults) : undefined,
      ),
    );
  }

  clear(): void {
    fill(this.element);
  }
}

export interface Action {
  readonly panel: ExchangePanel;
  readonly outcome: Outcome;
  /** The form with the fields that the errors name. */
  readonly form?: HTMLFormElement;
  /** Called after a successful response. */
  done(exchange: Exchange): void;
}

/** Sends a request, and shows its result. */
export async function act(request: Request, { panel, outcome, form, done }: Action): Promise<void> {
  const exchange = await send(request);
  panel.show(exchange);
  if (form) clearFaults(form);
  if (succeeded(exchange)) return done(exchange);
  const { errors = [] } = problemOf(exchange);
  outcome.tellProblem(exchange, form ? showFaults(form, errors) : errors);
}

/**
 * Returns a function that runs an action, and does nothing while the action is running. The button of the action is marked
 * as busy instead of disabled, because a disabled button loses the focus.
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

/** Runs an action when the user submits a form. */
export function onSubmit(form: HTMLFormElement, run: () => Promise<void>): void {
  const start = once(run, () => form.querySelector('button:not([type=button])'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    start();
  });
}

/** Shows the request of a form while the user fills in the form, until the request is sent. */
export function previewUntilSent(form: HTMLFormElement, panel: ExchangePanel, request: () => Request): void {
  const preview = () => panel.preview(request());
  preview();
  form.addEventListener('input', preview);
  form.addEventListener('submit', () => form.removeEventListener('input', preview));
}

function clearFaults(form: HTMLFormElement): void {
  for (const control of form.querySelectorAll('[aria-invalid]')) control.removeAttribute('aria-invalid');
  for (const fault of form.querySelectorAll<HTMLElement>('.fault')) fault.hidden = true;
}

/**
 * Shows each error at its field, and moves the focus to the first of these fields.
 *
 * @returns the errors that belong to no field
 */
function showFaults(form: HTMLFormElement, faults: readonly Fault[]): Fault[] {
  const places = faults.map((fault) => ({ fault, control: controlOf(form, fault) }));
  for (const { fault, control } of places) if (control) showFault(control, fault.detail);
  places.find(({ control }) => control)?.control?.focus();
  return places.flatMap(({ fault, control }) => (control ? [] : [fault]));
}

/** Returns the control whose name is nearest to the end of the pointer of an error. */
function controlOf(form: HTMLFormElement, { pointer }: Fault): Control | undefined {
  const controls = [...form.querySelectorAll<Control>('[name]')];
  const names = pointer.split('/').reverse();
  return names.map((name) => controls.find((control) => control.name === name)).find((control) => control);
}

function showFault(control: Control, detail: string): void {
  const place = control.closest('.field')?.querySelector<HTMLElement>('.fault');
  if (!place) return;
  place.id ||= newId();
  place.hidden = false;
  fill(place, detail);
  control.setAttribute('aria-invalid', 'true');
  const others = (control.getAttribute('aria-describedby') ?? '').split(' ');
  control.setAttribute('aria-describedby', [...new Set([...others, place.id])].join(' ').trim());
}
