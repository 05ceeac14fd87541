import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { description, type Generator, isStale, output, programs, run, type Tool } from './tool.ts';

const source = join(programs, 'java');
const packages = join(output, 'java');

export const java: Tool = {
  name: 'java',
  parts: { 'a JDK': ['javac', '-version'], Maven: ['mvn', '--version'] },
  prepare: async () => {
    const list = join(source, 'pom.xml');
    const installed = join(packages, 'pom.xml');
    if (!isStale(installed, list)) return;
    for (const [scope, folder] of [
      ['provided', 'generator'],
      ['runtime', 'libraries'],
    ])
      await run(
        source,
        'mvn',
        '--quiet',
        '--batch-mode',
        'dependency:copy-dependencies',
        `-DincludeScope=${scope}`,
        `-DoutputDirectory=${join(packages, folder as string)}`,
      );
    copyFileSync(list, installed);
  },
};

/** @param parts the parts to generate. By default, they include tests and documents */
export function openApiGenerator(
  cwd: string,
  language: string,
  parts: string,
  ...parameters: string[]
): Promise<string> {
  const [jar = ''] = readdirSync(join(packages, 'generator'));
  return run(
    cwd,
    'java',
    '-jar',
    join(packages, 'generator', jar),
    'generate',
    ...['--input-spec', description],
    ...['--generator-name', language],
    ...['--output', 'client'],
    '--global-property',
    `models,apis,${parts},apiTests=false,modelTests=false,apiDocs=false,modelDocs=false`,
    ...parameters,
  );
}

export const javaGenerators: readonly Generator[] = [
  {
    name: 'openapi-generator for Java',
    needs: [java],
    prefix: 'java',
    generate: (work) =>
      openApiGenerator(
        work,
        'java',
        'supportingFiles',
        ...['--library', 'native'],
        ...['--invoker-package', 'client', '--api-package', 'client.api', '--model-package', 'client.model'],
        // Without the first option, the client does not compile. Without the second one, a 202 is an exception.
        ...['--additional-properties', 'supportUrlQuery=false,enumUnknownDefaultCase=true'],
      ),
    observe: async (work, accessFile) => {
      const folder = join(work, 'client/src/main/java');
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.java'))
        .map((file) => join(folder, file));
      const libraries = join(packages, 'libraries', '*');
      const sources = join(work, 'sources');
      writeFileSync(sources, [...files, join(source, 'Program.java')].map((file) => `"${file}"\n`).join(''));
      await run(work, 'javac', '-nowarn', '-d', 'classes', '-cp', libraries, `@${sources}`);
      const classes = ['classes', libraries].join(delimiter);
      return JSON.parse(await run(work, 'java', '-cp', classes, 'Program', accessFile));
    },
  },
];
