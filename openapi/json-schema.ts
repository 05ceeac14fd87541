import { type ConversionConfig, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import type { Schema } from './types.ts';

/**
 * The valibot actions that the converter ignores, because they run code. Next to each check, a schema contains metadata that
 * states as much of the check as JSON Schema can express. A transformation needs no metadata, because it does not affect which
 * values the schema accepts.
 */
const codeActions = new Set(['check', 'custom', 'finite', 'partial_check', 'transform']);

const config = {
  target: 'draft-2020-12',
  // Ignores the converter's error for a pipe that contains two schemas. `refuse` throws the errors that matter.
  errorMode: 'ignore',
  overrideAction: ({ valibotAction, errors }) => {
    refuse(valibotAction.type, errors);
    return undefined;
  },
  overrideSchema: ({ valibotSchema: { type }, jsonSchema, errors }) => {
    refuse(type, errors);
    if (type === 'nullable') return withNull(jsonSchema as Schema);
    // Some generators of Go and Rust clients ignore a constant that has no type.
    if (type === 'literal') return { type: typeof jsonSchema.const, ...jsonSchema };
    return jsonSchema.properties ? withoutRejectedMembers(jsonSchema as Schema) : undefined;
  },
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
} satisfies ConversionConfig;

/** Throws the converter's errors, except those for actions that run code. */
function refuse(type: string, errors: readonly string[] | undefined): void {
  if (errors && !codeActions.has(type)) throw new Error(errors.join('\n'));
}

/** A schema that contains another named schema refers to that one by name. */
export function jsonSchemasOf(schemas: Readonly<Record<string, GenericSchema>>): Record<string, Schema> {
  return toJsonSchemaDefs(schemas, config) as Record<string, Schema>;
}

/** Removes the members that accept no value. They are redundant in an object that accepts no unknown members. */
function withoutRejectedMembers(object: Schema): Schema {
  const properties = Object.entries(object.properties as Record<string, Schema>).filter(
    ([, member]) => !acceptsNothing(member),
  );
  const { required, additionalProperties, ...rest } = object;
  return {
    ...rest,
    properties: Object.fromEntries(properties),
    ...((required as string[]).length > 0 && { required }),
    ...(additionalProperties !== undefined && {
      additionalProperties: acceptsNothing(additionalProperties) ? false : additionalProperties,
    }),
  };
}

/** Turns a nullable number or string into one schema with two types. A nullable object remains a choice of two schemas. */
function withNull(nullable: Schema): Schema {
  const { anyOf, ...rest } = nullable as { anyOf: [Schema, Schema] };
  const [{ type, ...inner }] = anyOf;
  return typeof type !== 'string' || type === 'object'
    ? nullable
    : { ...inner, ...rest, type: [type, 'null'] };
}

/**
 * Adds the format of each number, from which generators choose a type. Without one, those for Go, Java and Rust choose 32 bits.
 *
 * @see {@link https://spec.openapis.org/registry/format/ The formats of OpenAPI}
 */
export function withNumberFormats(schemas: Record<string, Schema>): Record<string, Schema> {
  return JSON.parse(JSON.stringify(schemas), (_, value) =>
    value?.type === undefined ? value : { ...value, ...numberFormat(value) },
  );
}

function numberFormat({ type, minimum = -Infinity, maximum = Infinity }: Schema): Schema {
  const types = [type].flat();
  if (types.includes('number')) return { format: 'double' };
  if (!types.includes('integer')) return {};
  return { format: Number(minimum) >= -(2 ** 31) && Number(maximum) < 2 ** 31 ? 'int32' : 'int64' };
}

function acceptsNothing(schema: unknown): boolean {
  return JSON.stringify(schema) === '{"not":{}}';
}
