import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pageRoutes } from '../../lambdas/contract/pages.ts';
import { bundle, type bundleAhead, type sourceMapOf } from '../../lib/bundles.ts';
import { entries } from '../../lib/entries.ts';

const project = join(import.meta.dirname, '../..');

describe('the bundles of the functions', () => {
  const bundles = bundle(entries);
  const files = entries.map((entry) => [entry, join(bundles.get(entry) ?? '', 'main.cjs')] as const);
  const withoutServices = [...pageRoutes.map(({ entry }) => entry), 'api/fallback.ts'];

  test('contain the AWS SDK only if they call a service', () => {
    expect(entriesWithout(/AWS_REGION/)).toEqual(withoutServices);
  });

  test.each([
    [
      'code that reads credentials from elsewhere than the environment',
      /AWS_CONTAINER|AWS_WEB_ID|sso_start_url/,
    ],
    ['the cache of endpoint discovery', /mnemonist/],
  ])('do not contain %s', (_, pattern) => {
    expect(entriesWithout(pattern)).toEqual(entries);
  });

  function entriesWithout(pattern: RegExp): string[] {
    return files.filter(([, file]) => !pattern.test(readFileSync(file, 'utf8'))).map(([entry]) => entry);
  }

  test('log missing credentials if the environment has none', async () => {
    const [, file = ''] = files.find(([entry]) => entry === 'api/dogs/get.ts') ?? [];
    const event = JSON.parse(readFileSync(join(project, 'events/GetDog.json'), 'utf8'));
    const call = `require(${JSON.stringify(file)}).handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 5_000 })`;
    const { stderr } = spawnSync(process.execPath, ['-e', call], {
      env: { AWS_REGION: 'us-east-1', DOGS_TABLE: 'dogs', BARKS_TABLE: 'barks' },
      encoding: 'utf8',
    });
    expect(stderr).toContain('Unable to find environment variable credentials');
  });
});

describe('the bundles of a temporary project', () => {
  const copy = mkdtempSync(join(tmpdir(), 'bundles-'));
  const sources = ['a.ts', 'jobs/b.ts'];
  let bundleInCopy: typeof bundle;
  let bundleAheadInCopy: typeof bundleAhead;
  let sourceMapInCopy: typeof sourceMapOf;

  beforeAll(async () => {
    write('lib/bundles.ts', readFileSync(join(project, 'lib/bundles.ts'), 'utf8'));
    symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
    write('package.json', '{"type": "module"}');
    ({
      bundle: bundleInCopy,
      bundleAhead: bundleAheadInCopy,
      sourceMapOf: sourceMapInCopy,
    } = (await import(join(copy, 'lib/bundles.ts'))) as {
      bundle: typeof bundle;
      bundleAhead: typeof bundleAhead;
      sourceMapOf: typeof sourceMapOf;
    });
  });

  beforeEach(() => {
    rmSync(join(copy, '.build'), { recursive: true, force: true });
    write('package-lock.json', '{}');
    write('lambdas/shared.ts', "export const word: string = 'shared';");
    write('lambdas/a.ts', "import { word } from './shared.ts';\nexport const handler = () => word;");
    write('lambdas/jobs/b.ts', "export const handler = () => 'b';");
    expect([...bundleInCopy(sources)]).toEqual([
      ['a.ts', join(copy, '.build/a')],
      ['jobs/b.ts', join(copy, '.build/jobs/b')],
    ]);
  });

  afterAll(() => rmSync(copy, { recursive: true }));

  test.each<[string, () => unknown, string[]]>([
    ['nothing', () => {}, []],
    ['the entry module', () => write('lambdas/jobs/b.ts', 'export const handler = () => 1;'), ['jobs/b.ts']],
    ['an imported module', () => write('lambdas/shared.ts', "export const word = 'new';"), ['a.ts']],
    ['a module without importers', () => write('lambdas/alone.ts', 'export const x = 1;'), []],
    ['a deleted bundle', () => rmSync(join(copy, '.build/a/main.cjs')), ['a.ts']],
    ['the lock file', () => write('package-lock.json', '{ "other": 1 }'), sources],
    ['a deleted manifest', () => rmSync(join(copy, '.build/manifest.json')), sources],
    ['a manifest that was cut off', () => write('.build/manifest.json', '{"a.ts": {"inp'), sources],
    ['a manifest that is not an object', () => write('.build/manifest.json', 'null'), sources],
    ['a manifest without a digest', () => write('.build/manifest.json', '{"a.ts": {}}'), sources],
  ])('are built again only if an input has changed: %s', async (_, change, expected) => {
    const before = timesOf(sources);
    await sleep(5);
    change();
    bundleInCopy(sources);
    const after = timesOf(sources);
    expect(sources.filter((source) => after.get(source) !== before.get(source))).toEqual(expected);
  });

  test('are kept if they have been built ahead', async () => {
    write('lambdas/shared.ts', "export const word = 'ahead';");
    await bundleAheadInCopy(sources);
    const before = timesOf(sources);
    bundleInCopy(sources);
    expect(timesOf(sources)).toEqual(before);
    expect(readFileSync(join(copy, '.build/a/main.cjs'), 'utf8')).toContain('ahead');
  });

  test('are refused in one sentence if they cannot be written', () => {
    rmSync(join(copy, '.build'), { recursive: true });
    write('.build', 'a file');
    expect(() => bundleInCopy(sources)).toThrow(
      `The bundles cannot be written: EEXIST: file already exists, mkdir '${join(copy, '.build')}'. Make the folder ${join(copy, '.build')} writable, or use npm start -- --app with a stack that has been synthesized.`,
    );
  });

  test('are kept when other entries are bundled', () => {
    write('lambdas/c.ts', "export const handler = () => 'c';");
    bundleInCopy(['c.ts']);
    const before = timesOf(sources);
    bundleInCopy([...sources, 'c.ts']);
    expect(timesOf(sources)).toEqual(before);
  });

  test('have source maps, which the bundles that replace them keep, and which are not deployed', () => {
    const codeOfA = () => readFileSync(join(copy, '.build/a/main.cjs'), 'utf8');
    const versions = [codeOfA()];
    for (const word of ['second', 'third']) {
      write('lambdas/shared.ts', `export const word = '${word}';`);
      bundleInCopy(sources);
      versions.push(codeOfA());
    }
    const own = ['lambdas/a.ts', 'lambdas/shared.ts'].map((name) => join(copy, name));
    expect(versions.map((code) => sourceMapInCopy(code)?.sources)).toEqual([undefined, own, own]);
    expect(readdirSync(join(copy, '.build/a')).sort()).toEqual(['index.mjs', 'main.cjs']);
    expect(readdirSync(join(copy, '.build/maps'))).toHaveLength(3);
  });

  function timesOf(entriesOfCopy: readonly string[]): Map<string, number | undefined> {
    return new Map(
      entriesOfCopy.map((entry) => {
        const file = join(copy, '.build', entry.replace(/\.ts$/, ''), 'main.cjs');
        return [entry, statSync(file, { throwIfNoEntry: false })?.mtimeMs];
      }),
    );
  }

  function write(name: string, text: string): void {
    const file = join(copy, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
});
