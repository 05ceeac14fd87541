import type { Problem } from '../../client/index.ts';
import { type Exchange, problemOf } from '../shared/http/exchange.ts';
import { succeeded } from './succeeded.ts';

type FieldError = NonNullable<Problem['errors']>[number];

/** Each error is either in `fields` or in `rest`. */
export interface FormErrors<Name extends string> {
  readonly fields: Partial<Record<Name, string>>;
  /** The errors that belong to no field, for an alert. Empty if there are none. */
  readonly rest: string;
}

/**
 * Returns the errors of a failed request, as sentences, or none if the request succeeded. An error's field is the last step of
 * its JSON pointer that is in `names`. If the problem document has no field errors, `rest` contains its detail.
 */
export function fieldErrors<Name extends string>(
  exchange: Exchange,
  names: readonly Name[],
): FormErrors<Name> {
  const fields: Partial<Record<Name, string>> = {};
  const rest: string[] = [];
  if (succeeded(exchange)) return { fields, rest: '' };
  const { detail, errors = [] } = problemOf(exchange);
  if (errors.length === 0) rest.push(detail);
  for (const error of errors) {
    const name = fieldOf(error, names);
    if (name === undefined) rest.push(`${error.pointer || 'The request body'} ${error.detail}.`);
    else fields[name] = [fields[name], sentence(error.detail)].filter(Boolean).join(' ');
  }
  return { fields, rest: rest.join(' ') };
}

function fieldOf<Name extends string>({ pointer }: FieldError, names: readonly Name[]): Name | undefined {
  const path = pointer.split('/').slice(1);
  return path.reverse().flatMap((step) => names.find((name) => name === step) ?? [])[0];
}

/** @param text such as `must be an integer` */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
