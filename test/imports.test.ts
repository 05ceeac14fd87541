import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

const project = resolve(import.meta.dirname, '..');
const options = await extractOptions(join(project, '.dependency-cruiser.js'));

async function cruised(directory: string): Promise<ICruiseResult> {
  return (await cruise(['.'], { ...options, baseDir: directory })).output as ICruiseResult;
}

/** Returns the names of the rules that the files break. @param files the source code of each file, by path */
async function brokenRules(files: Readonly<Record<string, string>>): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'imports-'));
  try {
    for (const [path, source] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), source);
    }
    const { violations } = (await cruised(directory)).summary;
    return [...new Set(violations.map(({ rule }) => rule.name))];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Returns a file with the given source code, and an empty file for the relative import in that code. */
function filesOf(file: string, source: string): Record<string, string> {
  const [, specifier = ''] = /'(\..*?)'/.exec(source) ?? [];
  return { ...(specifier && { [join(dirname(file), specifier)]: '' }), [file]: source };
}

describe('the project', () => {
  const result = cruised(project);

  test('breaks no rule of .dependency-cruiser.js', async () => {
    const { violations, totalCruised } = (await result).summary;
    expect(totalCruised).toBeGreaterThan(400);
    expect(violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
  });

  test('has files for each rule of a folder', async () => {
    const sources = (await result).modules.map(({ source }) => source);
    const paths = (options.ruleSet?.forbidden ?? []).map(({ from }) =>
      String((from as { path?: string }).path ?? ''),
    );
    expect(paths.filter((path) => !sources.some((source) => new RegExp(path).test(source)))).toEqual([]);
  });

  test('lists as dependencies exactly the packages that functions import', async () => {
    const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    const packages = (await result).modules
      .filter(({ source }) => source.startsWith('lambdas/'))
      .flatMap((module) => module.dependencies)
      .filter(
        ({ resolved, dependencyTypes }) =>
          resolved.includes('node_modules/') && !dependencyTypes.includes('type-only'),
      )
      // A module can import a file of a package, such as `negotiator/lib/mediaType.js`.
      .map(({ module }) => /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0]);
    expect([...new Set(packages)].sort()).toEqual(Object.keys(dependencies).sort());
  });

  test('has no type expressions with import(…), which dependency-cruiser does not detect', async () => {
    const sources = (await result).modules
      .map(({ source }) => source)
      .filter((source) => /^[^/]+\/.*\.tsx?$/.test(source));
    const found = sources
      .filter((source) => !source.includes('node_modules/'))
      .filter((source) => /(?:typeof |[:<|&] ?)import\(/.test(readFileSync(join(project, source), 'utf8')));
    expect(found).toEqual([]);
  });
});

describe('.dependency-cruiser.js', () => {
  test.each([
    [
      'lambdas/domain',
      'lambdas/domain/dogs/repository.ts',
      "import { Problem } from '../../http/problem.ts';",
    ],
    [
      'lambdas/domain',
      'lambdas/domain/dogs/repository.ts',
      "import { handler } from '../../api/dogs/get.ts';",
    ],
    [
      'lambdas/domain',
      'lambdas/domain/dogs/repository.ts',
      "import { routes } from '../../contract/routes.ts';",
    ],
    [
      'lambdas/domain',
      'lambdas/domain/dogs/repository.ts',
      "import type { APIGatewayProxyEvent } from 'aws-lambda';",
    ],
    ['lambdas/domain', 'lambdas/domain/dogs/repository.ts', "import middy from '@middy/core';"],
    [
      'lambdas/domain',
      'lambdas/domain/dogs/repository.ts',
      "export * from '../../../local/platform/log.ts';",
    ],
    ['lambdas/http', 'lambdas/http/pagination.ts', "import { GetCommand } from '@aws-sdk/lib-dynamodb';"],
    [
      'lambdas/http: types only',
      'lambdas/http/pagination.ts',
      "import { readDog } from '../domain/dogs/repository.ts';",
    ],
    [
      'lambdas/http: types only',
      'lambdas/http/pagination.ts',
      "import { type Dog, readDog } from '../domain/dogs/repository.ts';",
    ],
    ['lambdas/http: types only', 'lambdas/http/pagination.ts', "import '../domain/dogs/repository.ts';"],
    ['lambdas/http', 'lambdas/http/pagination.ts', "import { environment } from '../environment.ts';"],
    [
      'lambdas/http: types only',
      'lambdas/http/pagination.ts',
      "export { readDog } from '../domain/dogs/repository.ts';",
    ],
    [
      'lambdas/http: types only',
      'lambdas/http/pagination.ts',
      "await import('../domain/dogs/repository.ts');",
    ],
    ['lambdas/api', 'lambdas/api/dogs/get.ts', "import { handler } from './list.ts';"],
    ['lambdas/api', 'lambdas/api/dogs/get.ts', "import { handler } from '../fallback.ts';"],
    ['lambdas/api', 'lambdas/api/dogs/get.ts', "import { handler } from '../../jobs/authorizer.ts';"],
    ['lambdas/api', 'lambdas/api/dogs/get.ts', "import { GetCommand } from '@aws-sdk/lib-dynamodb';"],
    ['lambdas/jobs', 'lambdas/jobs/purge-dog.ts', "import { handler } from '../api/dogs/delete.ts';"],
    ['lambdas/jobs', 'lambdas/jobs/purge-dog.ts', "import { handler } from './authorizer.ts';"],
    ['lambdas/contract', 'lambdas/contract/routes.ts', "import { dogId } from '../domain/dogs/dog.ts';"],
    ['lib: types only', 'lib/api.ts', "import { environment } from '../lambdas/environment.ts';"],
    ['lib', 'lib/api.ts', "import type { Dog } from '../lambdas/domain/dogs/dog.ts';"],
    ['lib', 'lib/api.ts', "import { openApiDocument } from '../openapi/document.ts';"],
    ['lib', 'lib/api.ts', "import { Template } from '../local/template/template.ts';"],
    ['lib', 'lib/api.ts', "import { service } from '../tools/service.ts';"],
    ['local', 'local/start.ts', "import { routes } from '../lambdas/contract/routes.ts';"],
    ['local', 'local/start.ts', "await import('../lambdas/api/dogs/get.ts');"],
    ['local', 'local/start.ts', "import { Tables } from '../lib/tables.ts';"],
    ['local', 'local/start.ts', "import { service } from '../tools/service.ts';"],
    ['bin/cli', 'bin/cli/main.ts', "import { Problem } from '../../lambdas/http/problem.ts';"],
    ['bin/cli', 'bin/cli/main.ts', "const { log } = await import('../../local/platform/log.ts');"],
    ['bin/invoke', 'bin/invoke.ts', "import { groups } from './cli/command-tree.ts';"],
    ['bin/dogs', 'bin/dogs.ts', "import { dogId } from '../lambdas/domain/dogs/dog.ts';"],
    ['lib', 'lib/api.ts', "export { pages } from '../bin/pages.ts';"],
    ['openapi', 'openapi/document.ts', "import { Tables } from '../lib/tables.ts';"],
    ['openapi', 'openapi/document.ts', "import { lint } from './tools/run.ts';"],
    ['openapi/tools', 'openapi/tools/run.ts', "import { schemas } from '../schemas.ts';"],
    ['client', 'client/index.ts', "import { dogDocument } from '../lambdas/http/representations.ts';"],
    ['examples', 'examples/client.ts', "import type { Access } from '../bin/start/access.ts';"],
    ['web', 'web/console/main.tsx', "import { routes } from '../../lambdas/contract/routes.ts';"],
    ['bench', 'bench/run.ts', "import { invoke } from '../test/support/invoke.ts';"],
    ['bench', 'bench/run.ts', "import type { invoke } from '../test/support/invoke.ts';"],
    ['tools', 'tools/service.ts', "import { median } from '../bench/turns.ts';"],
    ['tools', 'tools/cost.ts', "import type { Access } from '../test/support/client.ts';"],
    ['tools: types only', 'tools/service.ts', "import { createAccess } from '../bin/start/access.ts';"],
    ['test', 'test/lib/functions.test.ts', "import { measure } from '../../bench/sizes.ts';"],
    ['bin/npm-script', 'bin/npm-script.mjs', "import 'node:fs';"],
    ['the root', 'jest.config.js', "import './lib/app.ts';"],
    ['nothing imports test', 'bench/run.ts', "import { invoke } from '../test/support/invoke.ts';"],
    ['nothing imports test', 'web/console/main.tsx', "await import('../../test/console/support.ts');"],
    ['each file is in a folder of the plan', 'scripts/run.ts', "import 'node:fs';"],
    ['everything imported exists', 'lib/api.ts', "import 'constructs/nothing';"],
    ['no cycles', 'lib/api.ts', "import { Api } from './api.ts';"],
  ])('has the rule "%s", which %s breaks with %s', async (rule, file, source) => {
    expect(await brokenRules(filesOf(file, source))).toContain(rule);
  });

  test('forbids a cycle that consists only of type imports', async () => {
    const files = {
      'lib/api.ts': "import type { Mail } from './mail.ts';",
      'lib/mail.ts': "import { type Api } from './api.ts';",
    };
    expect(await brokenRules(files)).toEqual(['no cycles']);
  });

  test.each([
    ['lambdas/http/pagination.ts', "import type { Dog } from '../domain/dogs/repository.ts';"],
    ['lambdas/http/pagination.ts', "import { type Dog, type Page } from '../domain/dogs/repository.ts';"],
    ['lambdas/http/pagination.ts', "export type { Dog } from '../domain/dogs/repository.ts';"],
    ['lambdas/http/pagination.ts', "import { effects } from '../domain/dogs/dog.ts';"],
    ['lib/api.ts', "import type { Environment } from '../lambdas/environment.ts';"],
    ['lib/api.ts', "import { routes } from '../lambdas/contract/routes.ts';"],
    ['test/lib/functions.test.ts', "import { codeOf } from '../../tools/functions.ts';"],
    ['lambdas/domain/dogs/dog.ts', "import { hash } from 'node:crypto';"],
    ['lambdas/http/request.ts', "import type { APIGatewayProxyEvent } from 'aws-lambda';"],
  ])('allows %s to contain %s', async (file, source) => {
    expect(await brokenRules(filesOf(file, source))).toEqual([]);
  });
});
