import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import { readCommandLine } from './command-line.ts';
import { defaultSettings, Fields } from './settings.ts';

/**
 * The JSON schema with which editors complete and check the files in `stages/`; `npm run stages:schema` writes it. It
 * lacks some rules, such as those that concern several settings. Synthesis checks all rules.
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

const usage = `npm run stages:schema

Writes stages/settings.schema.json. Run npm run format afterwards.`;

if (process.argv[1] === import.meta.filename) {
  readCommandLine(usage, {});
  writeFileSync(
    join(import.meta.dirname, '../stages/settings.schema.json'),
    `${JSON.stringify(stageSchema(), null, 2)}\n`,
  );
}
