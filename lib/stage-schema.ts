import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import { defaultSettings, Fields } from './settings.ts';

/**
 * Returns the JSON schema of the files in `stages/`, which editors use to complete and check them. It contains each setting's
 * description and default, but not the rules that a JSON schema cannot express. Synthesis checks all rules.
 *
 * Run as a program, this module writes the schema to its file: `npm run stages:schema`.
 */
export function stageSchema(): object {
  const { stage: _, ...settings } = Fields.entries;
  const properties = Object.entries(settings).map(([name, setting]) => {
    const { $schema, ...schema } = toJsonSchema(setting, { errorMode: 'ignore' });
    return [name, { ...schema, default: defaultSettings[name as keyof typeof settings] }];
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'The settings of a stage',
    description:
      'The name of the file is the name of the stage. A setting that is not listed has its default.',
    type: 'object',
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties) },
    additionalProperties: false,
  };
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(
    join(import.meta.dirname, '../stages/settings.schema.json'),
    `${JSON.stringify(stageSchema(), null, 2)}\n`,
  );
