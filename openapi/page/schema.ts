import type { Schema } from '../types.ts';
import { type Html, html, joined, phrase } from './html.ts';

/** Returns undefined if the object is not a reference. */
export function nameIn(object: object): string | undefined {
  return '$ref' in object ? String(object.$ref).split('/').at(-1) : undefined;
}

export function typeOf(schema: Schema): Html {
  const { type, items, anyOf } = schema as { type?: string | string[]; items?: Schema; anyOf?: Schema[] };
  const name = nameIn(schema);
  if (name) return html`<a href="#schema-${name}">${name}</a>`;
  if (anyOf) return html`${joined(anyOf.map(typeOf), ' or ')}`;
  if ('const' in schema) return json(schema.const);
  if (Array.isArray(schema.enum)) return html`${joined(schema.enum.map(json), ', ')}`;
  if (items) return html`array of ${typeOf(items)}`;
  return html`${type === undefined ? 'any type' : [type].flat().join(' or ')}`;
}

function json(value: unknown): Html {
  return html`<code>${JSON.stringify(value)}</code>`;
}

/** Patterns that are longer, in characters, are too hard to read. */
const maxPatternLength = 40;

function rulesOf(schema: Schema): (Html | false)[] {
  const { minimum, maximum, minLength, maxLength, minItems, pattern } = schema as Record<
    string,
    number | string
  >;
  return [
    range(minimum, maximum, ''),
    minLength === 1 && maxLength === undefined ? html`not empty` : range(minLength, maxLength, ' characters'),
    minItems === 1 && html`not empty`,
    'uniqueItems' in schema && html`no duplicates`,
    pattern !== undefined &&
      String(pattern).length <= maxPatternLength &&
      html`matches <code>${pattern}</code>`,
    'default' in schema && html`default ${json(schema.default)}`,
  ];
}

function range(
  least: number | string | undefined,
  most: number | string | undefined,
  unit: string,
): Html | false {
  if (least !== undefined && most !== undefined) return html`${least} to ${most}${unit}`;
  if (least !== undefined) return html`at least ${least}${unit}`;
  return most !== undefined && html`at most ${most}${unit}`;
}

interface EntryOptions {
  readonly place?: string;
  readonly required?: boolean | undefined;
  readonly description?: string | undefined;
}

export function entry(name: string, schema: Schema, options: EntryOptions = {}): Html {
  const { place, required, description = schema.description as string | undefined } = options;
  const facts = [
    typeOf(schema),
    place && html`in the ${place}`,
    required && html`<strong>required</strong>`,
    ...rulesOf(schema),
  ].filter((fact) => typeof fact === 'object');
  return html`<dt><code>${name}</code> <span>${joined(facts, '; ')}</span></dt>
<dd>${description === undefined ? undefined : phrase(description)}</dd>`;
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
  return [schema, items ?? {}, ...anyOf].find(({ properties }) => properties !== undefined);
}
