import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { java, openApiGenerator } from './java.ts';
import { description, type Generator, output, programs, run, type Tool } from './tool.ts';

/** A Go module with the programs, each in a folder that also gets its client. */
const module = join(output, 'go');

export const go: Tool = {
  name: 'go',
  // The command also fails if Go is older than `go.mod` requires.
  parts: { 'Go 1.26': ['go', '-C', join(programs, 'go'), 'list', '-m'] },
  prepare: () => {
    rmSync(module, { recursive: true, force: true });
    cpSync(join(programs, 'go'), module, { recursive: true });
  },
};

const inModule = (...parameters: string[]) => run(module, 'go', ...parameters);

const goGenerator = (
  name: string,
  generator: Pick<Generator, 'generate'> & Partial<Generator>,
): Generator => ({
  name,
  needs: [go],
  prefix: name,
  observe: async (_, accessFile) => JSON.parse(await inModule('run', `./${name}`, accessFile)),
  ...generator,
});

export const goGenerators: readonly Generator[] = [
  goGenerator('openapi-generator', {
    name: 'openapi-generator for Go',
    needs: [go, java],
    generate: () =>
      openApiGenerator(
        join(module, 'openapi-generator'),
        'go',
        'supportingFiles=client.go:configuration.go:response.go:utils.go',
        ...['--package-name', 'client'],
      ),
  }),
  goGenerator('oapi-codegen', {
    generate: () => {
      const client = join(module, 'oapi-codegen/client');
      mkdirSync(client, { recursive: true });
      const parameters = ['-generate', 'types,client', '-package', 'client', '-o', join(client, 'client.go')];
      return inModule('tool', 'oapi-codegen', ...parameters, description);
    },
  }),
  goGenerator('ogen', {
    generate: () => {
      const parameters = [
        '--config',
        'ogen.yml',
        '--package',
        'client',
        '--target',
        'ogen/client',
        '--clean',
      ];
      return inModule('tool', 'ogen', ...parameters, description);
    },
  }),
];
