import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Exchange } from '../shared/http/exchange.ts';
import { type FormErrors, fieldErrors } from './form-errors.ts';

/** Returns the errors of a form's last request. The first field with an error receives focus. */
export function useFormErrors<Name extends string>(
  exchange: Exchange | undefined,
  names: readonly Name[],
): FormErrors<Name> & { readonly form: RefObject<HTMLFormElement | null> } {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [exchange]);
  return { form, ...(exchange ? fieldErrors(exchange, names) : { fields: {}, rest: '' }) };
}
