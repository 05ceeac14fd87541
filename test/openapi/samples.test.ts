import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openApiDocument } from '../../openapi/document.ts';
import { guideIds, markdownOf } from '../../openapi/page/guides.ts';
import { blocksOf, isGroup } from '../../openapi/page/markdown.ts';
import { operationsOf, snippetsOf } from '../../openapi/page/request.ts';

const project = resolve(import.meta.dirname, '../..');

const samples = [
  ...operationsOf(openApiDocument()).map((placed) => [
    `${placed.operation.operationId}.ts`,
    snippetsOf(placed).typescript,
  ]),
  ...guideIds.flatMap((id) =>
    blocksOf(markdownOf(id))
      .filter(isGroup)
      .flatMap(({ code }, i) => {
        const text = code.get('ts');
        return text === undefined ? [] : [[`${id}-${i}.ts`, text]];
      }),
  ),
] as [string, string][];

/** Checks the types of programs in a folder that contains `client`. Returns the errors. */
function typeErrorsOf(programs: readonly (readonly [string, string])[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'samples-'));
  try {
    for (const [name, text] of programs) writeFileSync(join(folder, name), text);
    for (const name of ['client', 'node_modules']) symlinkSync(join(project, name), join(folder, name));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const config = {
      extends: join(project, 'tsconfig.json'),
      compilerOptions: { types: ['node'] },
      include: ['*.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(project, 'node_modules/typescript/bin/tsc');
    return spawnSync(process.execPath, [tsc, '--pretty', 'false', '--project', folder], {
      cwd: folder,
      encoding: 'utf8',
    }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('The TypeScript examples of the reference and of the guides have no type errors', () => {
  expect(samples.length).toBeGreaterThan(30);
  const wrong = [
    'wrong.ts',
    "import { dogServiceClient } from './client/index.ts';\ndogServiceClient({ url: 1 });",
  ] as const;
  const errors = typeErrorsOf([...samples, wrong])
    .split('\n')
    .filter((line) => /^\S/.test(line));
  expect(errors).toEqual([expect.stringMatching(/^wrong\.ts\(2,\d+\): error TS/)]);
});
