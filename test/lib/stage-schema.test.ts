import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { stageSchema } from '../../lib/stage-schema.ts';
import { otherSettings } from '../support/other-settings.ts';
import { withRemedy } from '../support/remedy.ts';

const read = (file: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../stages', file), 'utf8'));

const ajv = new Ajv({ allErrors: true });
addFormats.default(ajv);
const accepts = ajv.compile(stageSchema());

test('stages/settings.schema.json has the settings, with their defaults and descriptions', () => {
  withRemedy('Run npm run stages:schema && npm run format.', () => {
    expect(read('settings.schema.json')).toEqual(stageSchema());
  });
});

test('the schema accepts the files of the repository, and every setting', () => {
  const { stage: _, ...other } = otherSettings;
  for (const settings of [read('test.json'), read('prod.json'), other]) {
    accepts(settings);
    expect(accepts.errors).toBeNull();
  }
});

test.each([
  [{ memory: 512 }],
  [{ stage: 'test' }],
  [{ memoryMegabytes: '512' }],
  [{ memoryMegabytes: 511 }],
  [{ accessLogs: 'true' }],
  [{ workflowType: 'linear' }],
  [{ mailSender: 'dogs' }],
  [{ tags: 'team=dogs' }],
])('the schema refuses %j', (settings) => {
  expect(accepts(settings)).toBe(false);
});
