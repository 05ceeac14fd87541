import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventSchema } from '../../openapi/events.ts';
import { withRemedy } from '../support/remedy.ts';

const file = join(import.meta.dirname, '../../client/events.schema.json');

test('The schema of the events is the current one', () => {
  const written = JSON.parse(readFileSync(file, 'utf8'));
  withRemedy('Run npm run openapi, and commit client/events.schema.json.', () => {
    expect(written).toEqual(JSON.parse(JSON.stringify(eventSchema())));
  });
});
