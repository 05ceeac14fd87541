import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..');

/** Returns the texts of all `errorClass(…)` calls, sorted by file. */
function textsOf(errorClass: string): string[] {
  const pattern = new RegExp(
    `\\b${errorClass}\\(\\s*(?:'((?:[^'\\\\]|\\\\.)*)'|\`((?:[^\`\\\\]|\\\\.)*)\`)`,
    'g',
  );
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('test/'))
    .sort()
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(pattern)])
    .map(([, quoted, template]) => quoted ?? template ?? '');
}

test.each(['UserError', 'InUseError'])('the messages of the class %s match the snapshot', (errorClass) => {
  const texts = textsOf(errorClass);
  expect(texts.filter((text) => !/[.}]$/.test(text))).toEqual([]);
  expect(texts.join('\n')).toMatchSnapshot();
});
