import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isIgnored, SourceWatcher } from '../../reload/source-watcher.ts';
import { eventually } from '../../testing/eventually.ts';

describe('The watcher', () => {
  test.each(['get.ts~', '.get.ts.swp', '4913', '.#get.ts', '#get.ts#', 'get.ts___jb_tmp___', 'get.ts.tmp'])(
    'ignores %s, which an editor creates for a moment',
    (name) => {
      expect(isIgnored(`/project/lambdas/${name}`)).toBe(true);
    },
  );

  test('ignores installed packages', () => {
    expect(isIgnored('/project/openapi/tools/node_modules')).toBe(true);
  });

  test.each(['get.ts', 'style.css', 'index.html', 'cdk.json', 'tmp'])('watches %s', (name) => {
    expect(isIgnored(`/project.tmp/${name}`)).toBe(false);
  });
});

const project = mkdtempSync(join(tmpdir(), 'watched-'));
const watcher = new SourceWatcher(project, ['cdk.json']);

afterAll(async () => {
  await watcher.close();
  rmSync(project, { recursive: true });
});

test('SourceWatcher reports a change that happened before the listener was added', async () => {
  const early = jest.fn();
  watcher.onChange(early);
  let content = '';
  await eventually(async () => {
    content += ' ';
    writeFileSync(join(project, 'cdk.json'), content);
    expect(early).toHaveBeenCalled();
  });
  const late = jest.fn();
  watcher.onChange(late);
  expect(late).toHaveBeenCalledTimes(1);
});
