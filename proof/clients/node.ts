import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { install } from '../../tools/install.ts';
import type { Access, Observations } from './programs/observations.ts';
import { description, folder, type Generator, programs, run, type Tool } from './tool.ts';

export const node: Tool = { name: 'node', prepare: () => install(folder) };

function runModule(cwd: string, module: string, ...parameters: string[]): Promise<string> {
  return run(cwd, process.execPath, join(folder, 'node_modules', module), ...parameters);
}

async function observe(work: string, program: string, accessFile: string): Promise<Observations> {
  for (const file of [`${program}.ts`, 'observations.ts'])
    copyFileSync(join(programs, file), join(work, file));
  const compilerOptions = {
    strict: true,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: [],
    outDir: 'compiled',
  };
  writeFileSync(
    join(work, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: [`${program}.ts`] }, null, 2),
  );
  await runModule(work, 'typescript/bin/tsc');
  const module = await import(pathToFileURL(join(work, 'compiled', `${program}.js`)).href);
  const access: Access = JSON.parse(readFileSync(accessFile, 'utf8'));
  return module.observe(access);
}

export const nodeGenerators: readonly Generator[] = [
  {
    name: '@hey-api/openapi-ts',
    needs: [node],
    prefix: 'hey',
    generate: (work) =>
      runModule(work, '@hey-api/openapi-ts/bin/run.js', '--input', description, '--output', 'client'),
    observe: (work, accessFile) => observe(work, 'hey-api', accessFile),
  },
  {
    name: 'orval',
    needs: [node],
    prefix: 'orval',
    generate: (work, baseUrl) => {
      const client = { target: 'client/index.ts', client: 'fetch', baseUrl };
      const configuration = { dogs: { input: description, output: client } };
      writeFileSync(join(work, 'orval.config.mjs'), `export default ${JSON.stringify(configuration)};\n`);
      return runModule(work, 'orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs');
    },
    observe: (work, accessFile) => observe(work, 'orval', accessFile),
  },
];
