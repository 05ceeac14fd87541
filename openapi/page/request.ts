import {
  exampleValues,
  type FormParameter,
  type OperationForm,
  requestOf,
} from '../../web/docs/operation-request.ts';
import type { Request } from '../../web/shared/http/requests.ts';
import { type Language, languages, snippetOf } from '../../web/shared/http/snippets/snippet.ts';
import type { Document } from '../document.ts';
import { service } from '../examples.ts';
import type { Operation, Parameter, PathItem } from '../types.ts';
import { nameIn } from './schema.ts';

export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  /** The parameters that only this operation or its path describes. */
  readonly ownParameters: readonly Parameter[];
  /** The parameters that the page describes once for all operations. */
  readonly commonParameters: readonly Parameter[];
}

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const;

export function operationsOf({ paths, components }: Document): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]: [string, PathItem]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      const ownParameters = parameters.filter((one): one is Parameter => !('$ref' in one));
      const commonParameters = parameters.flatMap((one) => components.parameters[nameIn(one) ?? ''] ?? []);
      return [{ method: method.toUpperCase(), path, operation, ownParameters, commonParameters }];
    }),
  );
}

/** The form's body uses the first content type that the operation accepts. */
export function formOf(placed: PlacedOperation): OperationForm {
  const { method, path, operation, ownParameters, commonParameters } = placed;
  const { requestBody, security } = operation;
  const [content] = Object.entries(requestBody?.content ?? {});
  return {
    method: method as Request['method'],
    path,
    isPublic: security !== undefined,
    parameters: [...ownParameters, ...commonParameters].map(formParameter),
    ...(requestBody &&
      content && {
        body: {
          type: content[0],
          isRequired: requestBody.required,
          example: bodyText(content[0], Object.values(content[1].examples ?? {})[0]?.value),
        },
      }),
  };
}

/** The request contains the example values of the required parameters and of the body. */
export function snippetsOf(placed: PlacedOperation): Record<Language, string> {
  const form = formOf(placed);
  const request = requestOf(form, exampleValues(form));
  const entries = languages.map((language) => [language, snippetOf(request, service, language)]);
  return Object.fromEntries(entries);
}

function formParameter({ name, in: place, required = false, example }: Parameter): FormParameter {
  return { name, in: place, isRequired: required, example: String(example) };
}

function bodyText(type: string, value: unknown): string {
  return type === 'application/x-www-form-urlencoded'
    ? new URLSearchParams(value as Record<string, string>).toString()
    : JSON.stringify(value);
}
