import { indented } from '../shared/http/exchange-text.ts';
import type { Request } from '../shared/http/requests.ts';

export interface OperationForm {
  readonly method: Request['method'];
  /** Such as `/v1/dogs/{dog_id}/bark`. */
  readonly path: string;
  /** True if the operation requires no user credentials. */
  readonly isPublic: boolean;
  readonly parameters: readonly FormParameter[];
  readonly body?: { readonly type: string; readonly isRequired: boolean; readonly example: string };
}

export interface FormParameter {
  readonly name: string;
  readonly in: 'header' | 'path' | 'query';
  readonly isRequired: boolean;
  readonly example: string;
}

/** `parameters` maps names to values. The request omits empty values. */
export interface FormValues {
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns the example values of the required parameters and of the body. */
export function exampleValues({ parameters, body }: OperationForm): FormValues {
  const required = parameters.filter(({ isRequired }) => isRequired);
  return {
    parameters: Object.fromEntries(required.map(({ name, example }) => [name, example])),
    body: body?.example ?? '',
  };
}

export function requestOf(form: OperationForm, values: FormValues): Request {
  const { method, path, isPublic, parameters, body } = form;
  const given = parameters.flatMap((parameter) => {
    const value = values.parameters[parameter.name]?.trim() ?? '';
    return value === '' ? [] : [{ ...parameter, value }];
  });
  const inPlace = (place: FormParameter['in']) => given.filter((parameter) => parameter.in === place);
  const filled = inPlace('path').reduce(
    (before, { name, value }) => before.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(
    Object.fromEntries(inPlace('query').map(({ name, value }) => [name, value] as const)),
  ).toString();
  const hasBody = body !== undefined && values.body.trim() !== '';
  return {
    method,
    path: query === '' ? filled : `${filled}?${query}`,
    headers: {
      ...(hasBody && { 'Content-Type': body.type }),
      ...Object.fromEntries(inPlace('header').map(({ name, value }) => [name, value])),
    },
    ...(hasBody && { body: values.body }),
    ...(isPublic && { sender: 'none' }),
  };
}

/** Returns the required parameters without a value, and `body` if it still contains the secrets of the example. */
export function missingValues({ parameters, body }: OperationForm, values: FormValues): string[] {
  const missing = parameters
    .filter(({ name, isRequired }) => isRequired && !values.parameters[name]?.trim())
    .map(({ name }) => name);
  const [secret] = /(?<="refresh_token":")[^"]+/.exec(body?.example ?? '') ?? [];
  return secret && values.body.includes(secret) ? [...missing, 'body'] : missing;
}

/** Fills in empty required parameters from the examples. */
export function completed(form: OperationForm, values: FormValues): FormValues {
  const entries = Object.entries(exampleValues(form).parameters).map(([name, example]) => [
    name,
    values.parameters[name]?.trim() || example,
  ]);
  return { ...values, parameters: { ...values.parameters, ...Object.fromEntries(entries) } };
}

/**
 * Takes the dog and the body from the example, but gives the body a new token, and prefers path parameters that the reader has
 * entered in any form. The example's other values belong to another service, so their fields start empty.
 *
 * @param known the path parameters that the reader has entered, by name
 */
export function initialValues(form: OperationForm, known: Readonly<Record<string, string>>): FormValues {
  const { parameters, body } = exampleValues(form);
  const entries = Object.entries(parameters).map(([name, value]) => [
    name,
    known[name] ?? (name === 'dog_id' ? value : ''),
  ]);
  return {
    parameters: Object.fromEntries(entries),
    body: indented(body).replace(/"token": \d+/, `"token": ${Date.now()}`),
  };
}
