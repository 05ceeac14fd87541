import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesizeIfChanged } from '../../../local/template/synthesis-cache.ts';
import { readAssembly, type synthesize } from '../../../local/template/synthesize.ts';

let root: string;
let project: string;
let directory: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'synthesis-'));
  project = join(root, 'project');
  directory = join(root, 'cdk.out');
  mkdirSync(join(project, 'lib', 'deep'), { recursive: true });
  writeFileSync(join(project, 'cdk.json'), '{}');
  writeFileSync(join(project, 'lib', 'stack.ts'), 'stack');
  writeFileSync(join(project, 'lib', 'deep', 'part.ts'), 'part');
});

afterEach(() => rmSync(root, { recursive: true }));

/** Writes a stack in the form of the CDK. */
const run = jest.fn<ReturnType<typeof synthesize>, Parameters<typeof synthesize>>(async (_, folder) => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const artifact = { type: 'aws:cloudformation:stack', properties: { templateFile: 'stack.json' } };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ artifacts: { Stack: artifact } }));
  writeFileSync(join(folder, 'stack.json'), JSON.stringify({ Resources: {} }));
  return readAssembly(folder);
});

/** Returns the number of runs of the app in one call. */
async function runsOf(settings: Record<string, string> = {}, inputs = ['cdk.json', 'lib', 'absent']) {
  run.mockClear();
  const { template, directory: assets } = await synthesizeIfChanged(
    { settings, directory, inputs, project },
    run,
  );
  expect([template.resources, assets]).toEqual([[], directory]);
  return run.mock.calls.length;
}

test('synthesizeIfChanged runs the app once if nothing changes', async () => {
  expect([await runsOf(), await runsOf(), await runsOf()]).toEqual([1, 0, 0]);
});

test('synthesizeIfChanged ignores files that are not inputs', async () => {
  await runsOf();
  writeFileSync(join(project, 'README.md'), 'Read me.');
  expect(await runsOf()).toBe(0);
});

test.each<[string, () => void]>([
  ['a file changes', () => writeFileSync(join(project, 'cdk.json'), '{"app":"x"}')],
  ['a file in a folder changes', () => writeFileSync(join(project, 'lib/deep/part.ts'), 'traP')],
  ['a file in a folder is deleted', () => rmSync(join(project, 'lib/deep/part.ts'))],
  ['a file is deleted', () => rmSync(join(project, 'cdk.json'))],
  ['a file appears in a folder', () => writeFileSync(join(project, 'lib/new.ts'), '')],
  ['an input appears', () => writeFileSync(join(project, 'absent'), '')],
  ['the template changes', () => writeFileSync(join(directory, 'stack.json'), '{}')],
  ['an output file is deleted', () => rmSync(join(directory, 'stack.json'))],
  ['the output is deleted', () => rmSync(directory, { recursive: true })],
  ['the digest is incomplete', () => writeFileSync(`${directory}.digest`, 'ab')],
])('synthesizeIfChanged runs the app again if %s', async (_, change) => {
  await runsOf();
  change();
  expect([await runsOf(), await runsOf()]).toEqual([1, 0]);
});

test('synthesizeIfChanged runs the app again if the settings change', async () => {
  await runsOf();
  expect([await runsOf({ stage: 'test' }), await runsOf({ stage: 'test' })]).toEqual([1, 0]);
});

test('synthesizeIfChanged runs the app again if the last run failed, even after the inputs are as before', async () => {
  await runsOf();
  writeFileSync(join(project, 'cdk.json'), 'wrong');
  run.mockRejectedValueOnce(new Error('The app failed.'));
  await expect(runsOf()).rejects.toThrow('The app failed.');
  writeFileSync(join(project, 'cdk.json'), '{}');
  expect([await runsOf(), await runsOf()]).toEqual([1, 0]);
});

test('synthesizeIfChanged runs the app again if an input changed during the last run', async () => {
  run.mockImplementationOnce(async (...parameters) => {
    writeFileSync(join(project, 'lib/stack.ts'), 'later');
    return run(...parameters);
  });
  await synthesizeIfChanged({ settings: {}, directory, inputs: ['lib'], project }, run);
  expect([await runsOf({}, ['lib']), await runsOf({}, ['lib'])]).toEqual([1, 0]);
});
