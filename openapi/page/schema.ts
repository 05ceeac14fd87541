import type { Schema } from '../types.ts';
import { type Html, html, joined, phrase } from './html.ts';

/** Returns the ID of the element that shows a schema. */
export function placeOf(name: string): string {
  return `document-${name}`;
}

/** Returns the name in a reference, or undefined if the schema is not a reference. */
export function nameIn({ $ref }: Schema): string | undefined {
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
}

/** Returns the type of a value in a few words. */
export function typeOf(schema: Schema): Html {
  const { type, items, anyOf } = schema as { type?: string | string[]; items?: Schema; anyOf?: Schema[] };
  const name = nameIn(schema);
  if (name) return html`<a href="#${placeOf(name)}">${name}</a>`;
  if (anyOf) return html`${joined(anyOf.map(typeOf), ' or ')}`;
  if ('const' in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return html`${joined(schema.enum.map(literal), ', ')}`;
  if (items) return html`list of ${typeOf(items)}`;
  if (type === undefined) return html`anything`;
  return html`${[type].flat().join(' or ')}`;
}

function literal(value: unknown): Html {
  return html`<code>${JSON.stringify(value)}</code>`;
}

/** Returns the limits of a value, in addition to its type. */
function rulesOf(schema: Schema): Html[] {
  const { minimum, maximum, minLength, maxLength, minItems, pattern, uniqueItems } = schema as Rules;
  return [
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(minItems, undefined, ''),
    ...(uniqueItems ? [html`each once`] : []),
    ...(pattern === undefined || pattern.length > longest ? [] : [html`matches <code>${pattern}</code>`]),
    ...('default' in schema ? [html`by default <code>${JSON.stringify(schema.default)}</code>`] : []),
  ];
}

/** The maximum length of a pattern that the page shows. A longer one is hard to read. */
const longest = 40;

interface Rules {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly pattern?: string;
  readonly uniqueItems?: boolean;
}

function range(least: number | undefined, most: number | undefined, unit: string): Html[] {
  if (least !== undefined && most !== undefined) return [html`${least} to ${most}${unit}`];
  if (least === 1) return [html`not empty`];
  if (least !== undefined) return [html`at least ${least}${unit}`];
  return most === undefined ? [] : [html`at most ${most}${unit}`];
}

/** Returns the name, the type and the description of a field, a parameter or a header field. */
export function entry(
  name: string,
  schema: Schema,
  { place, required, description = schema.description as string | undefined }: Said = {},
): Html {
  const rules = [
    typeOf(schema),
    ...(place === undefined ? [] : [html`${place}`]),
    ...(required ? [html`<strong>required</strong>`] : []),
    ...rulesOf(schema),
  ];
  return html`<dt><code>${name}</code> <span>${joined(rules, '; ')}</span></dt>
<dd>${description === undefined ? undefined : phrase(description)}</dd>`;
}

interface Said {
  readonly place?: string | undefined;
  readonly required?: boolean | undefined;
  readonly description?: string | undefined;
}

/** Returns the fields of an object. The fields of an inner object follow the field that holds it. */
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

/** Returns the schema of the object in a field: the field itself, an element of its list, or one of its alternatives. */
function objectIn(schema: Schema): Schema | undefined {
  const { items, anyOf = [] } = schema as { items?: Schema; anyOf?: readonly Schema[] };
  return [schema, ...(items ? [items] : []), ...anyOf].find(({ properties }) => properties !== undefined);
}
