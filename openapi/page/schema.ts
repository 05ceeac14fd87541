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

const rules: Readonly<Record<string, (value: unknown) => Html | undefined>> = {
  minimum: (value) => html`at least ${String(value)}`,
  maximum: (value) => html`at most ${String(value)}`,
  minLength: (value) => (value === 1 ? html`not empty` : html`at least ${String(value)} characters`),
  maxLength: (value) => html`at most ${String(value)} characters`,
  minItems: () => html`not empty`,
  uniqueItems: () => html`no duplicates`,
  pattern: (value) =>
    String(value).length > maxPatternLength ? undefined : html`matches <code>${String(value)}</code>`,
  default: (value) => html`default ${json(value)}`,
};

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
    ...Object.entries(rules).map(([keyword, rule]) => keyword in schema && rule(schema[keyword])),
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
