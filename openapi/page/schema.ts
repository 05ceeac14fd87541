import type { Schema } from '../types.ts';
import { type Html, html, joined, phrase } from './html.ts';

export function idOf(name: string): string {
  return `schema-${name}`;
}

/** Returns undefined if the schema is not a reference. */
export function nameIn({ $ref }: Schema): string | undefined {
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
}

export function typeOf(schema: Schema): Html {
  const { type, items, anyOf } = schema as { type?: string | string[]; items?: Schema; anyOf?: Schema[] };
  const name = nameIn(schema);
  if (name) return html`<a href="#${idOf(name)}">${name}</a>`;
  if (anyOf) return html`${joined(anyOf.map(typeOf), ' or ')}`;
  if ('const' in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return html`${joined(schema.enum.map(literal), ', ')}`;
  if (items) return html`array of ${typeOf(items)}`;
  if (type === undefined) return html`any type`;
  return html`${[type].flat().join(' or ')}`;
}

function literal(value: unknown): Html {
  return html`<code>${JSON.stringify(value)}</code>`;
}

function rulesOf(schema: Schema): Html[] {
  const { minimum, maximum, minLength, maxLength, minItems, pattern, uniqueItems } = schema as Rules;
  return [
    ...range(minimum, maximum, ''),
    ...(minLength === 1 && maxLength === undefined
      ? [html`not empty`]
      : range(minLength, maxLength, ' characters')),
    ...(minItems === 1 ? [html`not empty`] : []),
    ...(uniqueItems ? [html`no duplicates`] : []),
    ...(pattern === undefined || pattern.length > maxPatternLength
      ? []
      : [html`matches <code>${pattern}</code>`]),
    ...('default' in schema ? [html`default <code>${JSON.stringify(schema.default)}</code>`] : []),
  ];
}

/** The page omits longer patterns, because they are too hard to read. */
const maxPatternLength = 40;

interface Rules {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly pattern?: string;
  readonly uniqueItems?: boolean;
}

function range(minimum: number | undefined, maximum: number | undefined, unit: string): Html[] {
  if (minimum !== undefined && maximum !== undefined) return [html`${minimum} to ${maximum}${unit}`];
  if (minimum !== undefined) return [html`at least ${minimum}${unit}`];
  return maximum === undefined ? [] : [html`at most ${maximum}${unit}`];
}

export function entry(
  name: string,
  schema: Schema,
  { place, required, description = schema.description as string | undefined }: EntryOptions = {},
): Html {
  const rules = [
    typeOf(schema),
    ...(place === undefined ? [] : [html`in the ${place}`]),
    ...(required ? [html`<strong>required</strong>`] : []),
    ...rulesOf(schema),
  ];
  return html`<dt><code>${name}</code> <span>${joined(rules, '; ')}</span></dt>
<dd>${description === undefined ? undefined : phrase(description)}</dd>`;
}

interface EntryOptions {
  readonly place?: string | undefined;
  readonly required?: boolean | undefined;
  readonly description?: string | undefined;
}

/**
 * The fields of a nested object follow its entry.
 *
 * @returns undefined if the schema defines no fields
 */
export function fields(schema: Schema): Html | undefined {
  const { properties, required = [] } = schema as {
    properties?: Record<string, Schema>;
    required?: readonly string[];
  };
  if (!properties) return undefined;
  const entries = Object.entries(properties).map(([name, field]) => {
    const inner = objectIn(field);
    const own = entry(name, field, { required: required.includes(name) });
    return inner ? html`${own}<dd>${fields(inner)}</dd>` : own;
  });
  return html`<dl>${entries}</dl>`;
}

/** The object can be the field's value, an item of its list or one of its alternatives. */
function objectIn(schema: Schema): Schema | undefined {
  const { items, anyOf = [] } = schema as { items?: Schema; anyOf?: readonly Schema[] };
  return [schema, ...(items ? [items] : []), ...anyOf].find(({ properties }) => properties !== undefined);
}
