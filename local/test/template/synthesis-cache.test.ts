import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CachedSynthesizer } from '../../template/synthesis-cache.ts';
import { readAssembly, type Synthesized } from '../../template/synthesize.ts';
import { useTestCloud } from '../support/emulators.ts';

const cloud = useTestCloud();
let project: string;
let directory: string;

beforeEach(() => {
  project = cloud.file('project');
  directory = cloud.file('cdk.out');
  mkdirSync(join(project, 'lib', 'deep'), { recursive: true });
  writeFileSync(join(project, 'cdk.json'), '{}');
  writeFileSync(join(project, 'lib', 'stack.ts'), 'stack');
  writeFileSync(join(project, 'lib', 'deep', 'part.ts'), 'part');
});

/** Writes a stack in the form of the CDK, with one function. */
const run = jest.fn<Promise<Synthesized>, []>(async () => {
  mkdirSync(join(directory, 'asset.1'), { recursive: true });
  writeFileSync(join(directory, 'asset.1', 'index.cjs'), 'code');
  const artifact = { type: 'aws:cloudformation:stack', properties: { templateFile: 'stack.json' } };
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ artifacts: { Stack: artifact } }));
  const lambda = { Type: 'AWS::Lambda::Function', Metadata: { 'aws:asset:path': 'asset.1' } };
  writeFileSync(join(directory, 'stack.json'), JSON.stringify({ Resources: { Bark: lambda } }));
  return readAssembly(directory);
});

const stop = jest.fn();

function synthesizer(settings: Record<string, string> = {}, inputs = ['cdk.json', 'lib', 'absent']) {
  return new CachedSynthesizer({ project, settings, directory, inputs }, { synthesize: run, stop });
}

/** Returns how many times one call of `synthesize` runs the app, by default after a new start. */
async function runsOf(start = synthesizer()): Promise<number> {
  run.mockClear();
  const { template, directory: assets } = await start.synthesize();
  expect([template.resources.map(({ name }) => name), assets]).toEqual([['Bark'], directory]);
  return run.mock.calls.length;
}

test('CachedSynthesizer runs the app once if nothing changes', async () => {
  expect([await runsOf(), await runsOf(), await runsOf()]).toEqual([1, 0, 0]);
});

test.each<[string, () => void]>([
  ['a file changes', () => writeFileSync(join(project, 'cdk.json'), '{"app":"x"}')],
  ['a file in a folder changes', () => writeFileSync(join(project, 'lib/deep/part.ts'), 'traP')],
  ['a file is deleted', () => rmSync(join(project, 'cdk.json'))],
  ['a file appears in a folder', () => writeFileSync(join(project, 'lib/new.ts'), '')],
  ['an input appears', () => writeFileSync(join(project, 'absent'), '')],
  ['the template changes', () => writeFileSync(join(directory, 'stack.json'), '{}')],
  ['an output file is deleted', () => rmSync(join(directory, 'stack.json'))],
  ['an asset changes', () => writeFileSync(join(directory, 'asset.1/index.cjs'), 'co')],
  ['an asset is deleted', () => rmSync(join(directory, 'asset.1'), { recursive: true })],
  ['the digest is incomplete', () => writeFileSync(`${directory}.digest`, 'ab')],
])('CachedSynthesizer runs the app again if %s', async (_, change) => {
  await runsOf();
  change();
  expect([await runsOf(), await runsOf()]).toEqual([1, 0]);
});

test('CachedSynthesizer runs the app again with other settings, or another version of Node', async () => {
  await runsOf();
  const changed = () => synthesizer({ stage: 'test' });
  expect([await runsOf(changed()), await runsOf(changed())]).toEqual([1, 0]);
  const { version } = process;
  Object.defineProperty(process, 'version', { value: 'v99.0.0' });
  const runs = await runsOf(changed()).finally(() =>
    Object.defineProperty(process, 'version', { value: version }),
  );
  expect(runs).toBe(1);
});

test('CachedSynthesizer ignores other files, the assets of earlier templates, and installed packages', async () => {
  await runsOf();
  writeFileSync(join(project, 'README.md'), 'Read me.');
  mkdirSync(join(directory, 'asset.0'));
  writeFileSync(join(directory, 'asset.0', 'index.cjs'), '');
  mkdirSync(join(project, 'lib/node_modules'));
  writeFileSync(join(project, 'lib/node_modules/package.js'), '');
  expect(await runsOf()).toBe(0);
});

test('CachedSynthesizer deletes the output of an earlier start only if it is not up to date', async () => {
  await runsOf();
  writeFileSync(join(project, 'lib/stack.ts'), 'later');
  mkdirSync(join(directory, 'asset.0'));
  await runsOf();
  expect(existsSync(join(directory, 'asset.0'))).toBe(false);
});

test('CachedSynthesizer keeps the assets of the running stack, and the result of a reload', async () => {
  await runsOf();
  const running = synthesizer();
  await runsOf(running);
  writeFileSync(join(project, 'lib/stack.ts'), 'later');
  mkdirSync(join(directory, 'asset.0'));
  expect(await runsOf(running)).toBe(1);
  expect(existsSync(join(directory, 'asset.0'))).toBe(true);
  expect(await runsOf()).toBe(0);
});

test('CachedSynthesizer runs the app again if the last run failed, even if the change that made it fail is undone', async () => {
  await runsOf();
  writeFileSync(join(project, 'cdk.json'), 'wrong');
  run.mockRejectedValueOnce(new Error('The app failed.'));
  await expect(runsOf()).rejects.toThrow('The app failed.');
  writeFileSync(join(project, 'cdk.json'), '{}');
  expect([await runsOf(), await runsOf()]).toEqual([1, 0]);
});

test('CachedSynthesizer runs the app again if an input changed during the last run', async () => {
  run.mockImplementationOnce(async () => {
    writeFileSync(join(project, 'lib/stack.ts'), 'later');
    return run();
  });
  await synthesizer().synthesize();
  expect([await runsOf(), await runsOf()]).toEqual([1, 0]);
});
