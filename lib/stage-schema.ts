import { toJsonSchema } from '@valibot/to-json-schema';
import { defaultSettings, Fields } from './settings.ts';

/**
 * Returns the JSON schema of the files in `stages/`, with which editors complete and check them. It has the description and the
 * default of each setting, but not the rules that a JSON schema cannot express. The synthesis checks all rules.
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
