import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectFiles } from '../../tools/files.ts';
import { extensions } from '../../tools/own/extensions.ts';
import { withoutExtensions } from '../../tools/own/marks.ts';

const project = resolve(import.meta.dirname, '../..');
const names = [...Object.keys(extensions), 'project'];
const kept = { events: false, waiting: true };
const strip = (...lines: string[]) => withoutExtensions(lines.join('\n'), 'lib/a.ts', kept).split('\n');

describe('The marks of extensions', () => {
  test.each([
    ['a line', ['a', 'b, // @extension events', 'c'], ['a', 'c']],
    ['lines', ['a', '  // @extension events {', '  b', '  // @extension events }', 'c'], ['a', 'c']],
    ['nothing that is kept', ['a', 'b, // @extension waiting', 'c'], ['a', 'b,', 'c']],
    ['nothing that either needs', ['a', 'b // @extension events|waiting'], ['a', 'b']],
    [
      'marks inside others',
      ['// @extension events {', 'a // @extension waiting', '// @extension events }', 'b'],
      ['b'],
    ],
    [
      'Markdown',
      ['a', '| b | <!-- @extension events --> |', '| c | <!-- @extension waiting --> |'],
      ['a', '| c |'],
    ],
    ['YAML', ['# @extension events {', 'a: b', '# @extension events }', 'c: d'], ['c: d']],
    [
      'CSS and JSX',
      ['a { /* @extension events */', '{/* @extension events { */}', 'b', '{/* @extension events } */}'],
      [''],
    ],
  ])('remove %s', (_, lines, expected) => {
    expect(strip(...lines)).toEqual(expected);
  });

  test.each([
    ['has no end', ['a', '// @extension events {'], 'lib/a.ts:2: "events }" is missing.'],
    ['has no beginning', ['// @extension events }'], 'lib/a.ts:1: "events {" is not the last open mark.'],
    [
      'ends another',
      ['// @extension events {', '// @extension waiting {', '// @extension events }'],
      'lib/a.ts:3: "events {" is not the last open mark.',
    ],
    ['has an unknown name', ['a // @extension event'], 'lib/a.ts:1: there is no extension "event".'],
    ['is misspelled', ['a // @extension: events'], 'lib/a.ts:1: this is not a mark of an extension.'],
    [
      'marks nothing',
      ['// @extension events'],
      'a mark is at the end of a line, or has a brace and a line of its own.',
    ],
    ['has code before the brace', ['a // @extension events {'], 'or has a brace and a line of its own.'],
  ])('are refused if one %s', (_, lines, message) => {
    expect(() => strip(...lines)).toThrow(message);
  });

  test('are correct in all files', () => {
    const none = Object.fromEntries(names.map((name) => [name, false]));
    const texts = projectFiles().filter((path) => !/^(?:test\/)?tools\/own|your-own-service/.test(path));
    for (const path of texts) withoutExtensions(readFileSync(join(project, path), 'utf8'), path, none);
  });
});
