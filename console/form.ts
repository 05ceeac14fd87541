import { type Child, element, fill, newId } from './dom.ts';
import { type Exchange, type Fault, problemOf, succeeded } from './exchange.ts';
import type { ExchangePanel } from './exchange-panel.ts';
import type { Request } from './requests.ts';
import { send } from './session.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A control with its label, its hint, and room for what is wrong with it. */
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

/** Radio buttons or checkboxes of one name. */
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

/** Tells what came of an action, to those who see it and to those who hear it. */
export class Outcome {
  readonly element = element('div', { class: 'outcome', 'aria-live': 'polite' });

  tell(...words: readonly Child[]): void {
    fill(this.element, element('p', { class: 'told' }, ...words));
  }

  /** Tells a failure in the service's own words. @param errors those of them that are told nowhere else */
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
  /** Whose fields the faults of the answer belong to. */
  readonly form?: HTMLFormElement;
  /** Is told of an answer that is no failure. */
  done(exchange: Exchange): void;
}

/** Sends a request, and shows what came of it. */
export async function act(request: Request, { panel, outcome, form, done }: Action): Promise<void> {
  const exchange = await send(request);
  panel.show(exchange);
  if (form) clearFaults(form);
  if (succeeded(exchange)) return done(exchange);
  const { errors = [] } = problemOf(exchange);
  outcome.tellProblem(exchange, form ? showFaults(form, errors) : errors);
}

/**
 * Runs what a form or a button starts, once at a time. A button that is busy keeps the focus, which a disabled one would
 * lose.
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

/** Has a form run something instead of being sent. */
export function onSubmit(form: HTMLFormElement, run: () => Promise<void>): void {
  const start = once(run, () => form.querySelector('button:not([type=button])'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    start();
  });
}

/** Shows what a form would send, as it is filled in, until it has been sent. */
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

/** Shows each fault beside its field, and goes to the first. @returns those that belong to no field */
function showFaults(form: HTMLFormElement, faults: readonly Fault[]): Fault[] {
  const places = faults.map((fault) => ({ fault, control: controlOf(form, fault) }));
  for (const { fault, control } of places) if (control) showFault(control, fault.detail);
  places.find(({ control }) => control)?.control?.focus();
  return places.flatMap(({ fault, control }) => (control ? [] : [fault]));
}

/** The control whose name stands last in the path of a fault. */
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
