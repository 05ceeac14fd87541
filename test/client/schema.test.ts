import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { digestOf } from '../../openapi/digest.ts';
import { openApiDocument } from '../../openapi/document.ts';

const file = join(resolve(import.meta.dirname, '../..'), 'client/schema.ts');

test('the types of the client are made of the description as it is; npm run openapi makes them', () => {
  const [head = ''] = readFileSync(file, 'utf8').split('\n');
  expect(head).toBe(
    `// Made by \`npm run openapi\` of the description whose digest is ${digestOf(openApiDocument())}.`,
  );
});
