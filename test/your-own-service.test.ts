import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFiles } from '../tools/files.ts';
import { withRemedy } from './support/remedy.ts';

const project = join(import.meta.dirname, '..');
const guide = readFileSync(join(project, 'docs/your-own-service.md'), 'utf8');

/** The lines of the guide that name a file, and what to look for in the file. */
const namedLines = [...guide.matchAll(/^- `([^`]+)`: (`.*)$/gm)].map(([, file = '', names = '']) => ({
  file,
  names: [...names.replace(/\(.*?\)/g, '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
}));

test.each(namedLines)('docs/your-own-service.md names what $file contains: $names', ({ file, names }) => {
  withRemedy('Correct these names in docs/your-own-service.md.', () => {
    expect(names.filter((name) => !readFileSync(join(project, file), 'utf8').includes(name))).toEqual([]);
  });
});

test('docs/your-own-service.md names each file that imports an extension', () => {
  const pattern = /from '[^']*(\/(limits|suspensions|waiting)\/[a-z-]+|contract\/waiting)\.ts'/;
  const importing = ['bin', 'lambdas', 'lib', 'openapi', 'web']
    .flatMap((folder) => projectFiles(folder))
    .filter((file) => pattern.test(readFileSync(join(project, file), 'utf8')));
  const isNamed = (path: string): boolean => guide.includes(`\`${path}\``) || isNamedFolder(dirname(path));
  const isNamedFolder = (folder: string): boolean =>
    folder.split('/').length > 2 && (guide.includes(`\`${folder}/\``) || isNamedFolder(dirname(folder)));
  withRemedy('Add the files to docs/your-own-service.md.', () => {
    expect(importing.filter((file) => !isNamed(file))).toEqual([]);
  });
  expect(importing.length).toBeGreaterThan(10);
});
