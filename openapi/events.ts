import { EventAttributes, eventData, eventSchemaId } from './event-data.ts';
import { jsonSchemasOf } from './json-schema.ts';
import type { Schema } from './types.ts';

/** Returns a JSON Schema for all events. `$defs` contains a schema for the data of each event type. */
export function eventSchema(): Schema {
  const { EventAttributes: attributes = {}, ...data } = jsonSchemasOf({ EventAttributes, ...eventData });
  const { properties, required, ...envelope } = attributes as {
    properties: Record<string, Schema>;
    required: string[];
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: eventSchemaId,
    title: 'Events of the dog service',
    description: 'An event in the structured form of CloudEvents 1.0. EventBridge delivers it in `detail`.',
    ...envelope,
    properties: { ...properties, data: { type: 'object' } },
    required: [...required, 'data'],
    oneOf: Object.keys(data).map((type) => ({
      properties: {
        type: { const: type },
        dataschema: { const: `${eventSchemaId}#/$defs/${type}` },
        data: { $ref: `#/$defs/${type}` },
      },
    })),
    $defs: data,
  };
}
