import { isTemporary } from '../../../local/reload/source-watcher.ts';

describe('The watcher', () => {
  test.each(['get.ts~', '.get.ts.swp', '4913', '.#get.ts', '#get.ts#', 'get.ts___jb_tmp___', 'get.ts.tmp'])(
    'ignores %s, which an editor creates for a moment',
    (name) => {
      expect(isTemporary(`/project/lambdas/${name}`)).toBe(true);
    },
  );

  test.each(['get.ts', 'style.css', 'index.html', 'cdk.json', 'tmp'])('watches %s', (name) => {
    expect(isTemporary(`/project.tmp/${name}`)).toBe(false);
  });
});
