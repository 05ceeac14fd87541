import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stageSchema } from '../lib/stage-schema.ts';

// Writes the schema of the files in `stages/`, for editors. Run it with `npm run stages:schema` after a change of the settings.
const file = join(import.meta.dirname, '../stages/settings.schema.json');
writeFileSync(file, `${JSON.stringify(stageSchema(), null, 2)}\n`);
