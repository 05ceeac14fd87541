import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const web = resolve(import.meta.dirname, '../../web');
const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.tsx?$/.test(file),
);

test('the pages contain no code that turns text into HTML, so that Preact escapes each text', () => {
  expect(sources.length).toBeGreaterThan(50);
  for (const file of sources) {
    const source = readFileSync(join(web, file), 'utf8');
    const found = /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write/.exec(
      source,
    );
    expect([file, found?.[0]]).toEqual([file, undefined]);
  }
});
