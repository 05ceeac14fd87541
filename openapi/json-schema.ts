import { type ConversionConfig, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import type { Schema } from './types.ts';

/**
 * What the schemas check by code of their own. Each such check has beside it, as metadata, what JSON Schema can say of
 * it; a transformation changes what is stored, and not what is taken.
 */
const codeOfTheirOwn = new Set(['check', 'custom', 'finite', 'partial_check', 'transform']);

const config = {
  target: 'draft-2020-12',
  // The converter would not have two schemas in one pipe; what else it cannot do is thrown below.
  errorMode: 'ignore',
  overrideAction: ({ valibotAction, jsonSchema, errors }) => {
    const { type, requirement } = valibotAction as { type: string; requirement?: unknown };
    // The format `email` is another rule in each validator.
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

/** What schemas of this service accept, as JSON Schema; one that is part of another is referred to by its name. */
export function jsonSchemasOf(schemas: Readonly<Record<string, GenericSchema>>): Record<string, Schema> {
  return toJsonSchemaDefs(schemas, config) as Record<string, Schema>;
}

/** An object less the members that no value is right for: since it takes no others, they need not be named. */
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

/** A number or null is one schema of two types; an object or null stays two schemas. */
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
