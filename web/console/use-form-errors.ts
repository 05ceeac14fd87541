import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Exchange } from '../shared/http/exchange.ts';
import { afterPress } from './after-press.ts';
import { type ErrorsByField, type FormErrors, fieldErrors } from './form-errors.ts';

export interface FormState<Name extends string> {
  readonly form: RefObject<HTMLFormElement | null>;
  readonly errors: ErrorsByField<Name>;
  readonly rest: readonly string[];
  /** Hides the error of a field that the user is changing. */
  changed(name: Name): void;
  /** Shows the known error of a field that the user has left, unless the field is empty. */
  left(name: Name, event: FocusEvent): void;
  /** Shows all known errors instead of the service's. Call this before sending. @returns true if there are none */
  check(): boolean;
  show(exchange: Exchange): void;
}

/**
 * After `check` or `show`, the first field with an error receives focus.
 *
 * @param known the errors that the page finds without the service. Hidden until the user leaves the field or submits the form
 */
export function useFormErrors<Name extends string>(
  names: readonly Name[],
  known: ErrorsByField<Name>,
): FormState<Name> {
  const form = useRef<HTMLFormElement>(null);
  const [checked, setChecked] = useState<readonly Name[]>([]);
  const [received, setReceived] = useState<FormErrors<Name>>({ fields: {}, rest: [] });
  const [attempts, setAttempts] = useState(0);
  const errors: ErrorsByField<Name> = {};
  for (const name of names) {
    const error = received.fields[name] ?? (checked.includes(name) ? known[name] : undefined);
    if (error !== undefined) errors[name] = error;
  }
  useLayoutEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [attempts]);
  const show = (next: FormErrors<Name>) => {
    setReceived(next);
    setAttempts((count) => count + 1);
  };
  return {
    form,
    errors,
    rest: received.rest,
    changed: (name) => {
      setChecked((before) => before.filter((one) => one !== name && known[one] !== undefined));
      setReceived(({ fields, rest }) => ({ fields: { ...fields, [name]: undefined }, rest }));
    },
    left: (name, { currentTarget }) => {
      const isEmpty = currentTarget instanceof HTMLInputElement && currentTarget.value === '';
      if (!isEmpty) afterPress(() => setChecked((before) => [...before, name]));
    },
    check: () => {
      setChecked(names);
      show({ fields: {}, rest: [] });
      return names.every((name) => known[name] === undefined);
    },
    show: (exchange) => show(fieldErrors(exchange, names)),
  };
}
