import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { description, folder, type Generator, isStale, output, programs, run, type Tool } from './tool.ts';

const environment = join(output, 'python');

export const python: Tool = {
  name: 'python',
  prepare: async () => {
    const requirements = join(folder, 'requirements.txt');
    const installed = join(environment, 'requirements.txt');
    if (!isStale(installed, requirements)) return;
    const program = process.platform === 'win32' ? 'python' : 'python3';
    await run(folder, program, '-m', 'venv', '--clear', environment);
    await runPython(folder, '-m', 'pip', 'install', '--quiet', '--requirement', requirements);
    copyFileSync(requirements, installed);
  },
};

/** Runs a Python module in the environment of the generator. */
function runPython(cwd: string, ...parameters: string[]): Promise<string> {
  const program = process.platform === 'win32' ? 'Scripts/python' : 'bin/python';
  return run(cwd, join(environment, program), ...parameters);
}

export const pythonGenerators: readonly Generator[] = [
  {
    name: 'openapi-python-client',
    needs: [python],
    prefix: 'python',
    generate: async (work) => {
      const parameters = ['generate', '--path', description, '--meta', 'none', '--output-path', 'client'];
      await runPython(work, '-m', 'openapi_python_client', ...parameters);
      // The generator omits an import: https://github.com/openapi-generators/openapi-python-client/issues/1451
      const module = join(work, 'client/api/tokens/issue_token.py');
      writeFileSync(module, readFileSync(module, 'utf8').replace(/ UNSET$/m, ' UNSET, Unset'));
    },
    observe: async (work, accessFile) => {
      const program = 'program.py';
      copyFileSync(join(programs, 'openapi-python-client.py'), join(work, program));
      await runPython(work, '-m', 'mypy', '--strict', 'client', program);
      return JSON.parse(await runPython(work, program, accessFile));
    },
  },
];
