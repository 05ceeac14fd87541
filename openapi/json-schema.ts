import { type ConversionConfig, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import type { Schema } from './types.ts';

/**
 * The actions of the schemas that run code, which JSON Schema cannot express. Each check has metadata with the JSON Schema
 * that comes closest. A transformation changes only what is stored, not what is accepted.
 */
const codeOfTheirOwn = new Set(['check', 'custom', 'finite', 'partial_check', 'transform']);

const config = {
  target: 'draft-2020-12',
  // The converter refuses two schemas in one pipe. The code below throws for everything else that it does not support.
  errorMode: 'ignore',
  overrideAction: ({ valibotAction, jsonSchema, errors }) => {
    const { type, requirement } = valibotAction as { type: string; requirement?: unknown };
    // Each validator has its own rule for the format `email`.
    if (type === 'rfc_email') {
      const { format: _, ...rest } = jsonSchema;
      return { ...rest, pattern: (requirement as RegExp).source };
    }
    refuse(type, errors);
    return undefined;
  },
  overrideSchema: ({ valibotSchema: { type }, jsonSchema, errors }) => {
    refuse(type, errors);
    if (type === 'nullable') return withNull(jsonSchema as Schema);
    return jsonSchema.properties ? withoutImpossible(jsonSchema as Schema) : undefined;
  },
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
} satisfies ConversionConfig;

function refuse(type: string, errors: readonly string[] | undefined): void {
  if (errors && !codeOfTheirOwn.has(type)) throw new Error(errors.join('\n'));
}

/** Returns schemas of this service as JSON Schema. A schema that is part of another becomes a reference. */
export function jsonSchemasOf(schemas: Readonly<Record<string, GenericSchema>>): Record<string, Schema> {
  return toJsonSchemaDefs(schemas, config) as Record<string, Schema>;
}

/** Returns the schema of an object without the members that accept no value. The object accepts no other members anyway. */
function withoutImpossible(object: Schema): Schema {
  const properties = Object.entries(object.properties as Record<string, Schema>).filter(
    ([, member]) => !isNothing(member),
  );
  const { required, additionalProperties, ...rest } = object;
  return {
    ...rest,
    properties: Object.fromEntries(properties),
    ...((required as string[]).length > 0 && { required }),
    ...(additionalProperties !== undefined && {
      additionalProperties: isNothing(additionalProperties) ? false : additionalProperties,
    }),
  };
}

/** Returns one schema with two types for a number or null. An object or null stays two schemas. */
function withNull(nullable: Schema): Schema {
  const { anyOf, ...rest } = nullable as { anyOf: [Schema, Schema] };
  const [{ type, ...inner }] = anyOf;
  return typeof type !== 'string' || type === 'object'
    ? nullable
    : { ...inner, ...rest, type: [type, 'null'] };
}

function isNothing(schema: unknown): boolean {
  return JSON.stringify(schema) === '{"not":{}}';
}
