import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

const project = resolve(import.meta.dirname, '../..');
const options = await extractOptions(join(project, '.dependency-cruiser.js'));

/**
 * Each import breaks the named rule. No two use the same file, so one run of dependency-cruiser can check them all.
 */
const forbidden: readonly (readonly [rule: string, file: string, source: string])[] = [
  ['lambdas/domain', 'lambdas/domain/dogs/read.ts', "import { Problem } from '../../http/problem.ts';"],
  ['lambdas/domain', 'lambdas/domain/dogs/change.ts', "import { handler } from '../../api/dogs/get.ts';"],
  [
    'lambdas/domain',
    'lambdas/domain/suspensions/mail-feedback.ts',
    "import { routes } from '../../contract/routes.ts';",
  ],
  [
    'lambdas/domain',
    'lambdas/domain/removal/orphans.ts',
    "import type { APIGatewayProxyEvent } from 'aws-lambda';",
  ],
  ['lambdas/domain', 'lambdas/domain/dogs/precondition.ts', "import middy from '@middy/core';"],
  ['lambdas/domain', 'lambdas/domain/removal/purge.ts', "export * from '../../../local/platform/log.ts';"],
  ['lambdas/http', 'lambdas/http/pagination.ts', "import { GetCommand } from '@aws-sdk/lib-dynamodb';"],
  [
    'lambdas/http: types only',
    'lambdas/http/bark-responses.ts',
    "import { readDog } from '../domain/dogs/repository.ts';",
  ],
  [
    'lambdas/http: types only',
    'lambdas/http/basic-auth.ts',
    "import { type Dog, readDog } from '../domain/dogs/repository.ts';",
  ],
  ['lambdas/http: types only', 'lambdas/http/conditional.ts', "import '../domain/dogs/repository.ts';"],
  [
    'lambdas/http',
    'lambdas/http/content-security-policy.ts',
    "import { environment } from '../environment.ts';",
  ],
  [
    'lambdas/http: types only',
    'lambdas/http/endpoint.ts',
    "export { readDog } from '../domain/dogs/repository.ts';",
  ],
  [
    'lambdas/http: types only',
    'lambdas/http/json-syntax.ts',
    "await import('../domain/dogs/repository.ts');",
  ],
  ['lambdas/api', 'lambdas/api/dogs/get.ts', "import { handler } from './list.ts';"],
  ['lambdas/api', 'lambdas/api/dogs/patch.ts', "import { handler } from '../fallback.ts';"],
  ['lambdas/api', 'lambdas/api/dogs/put.ts', "import { handler } from '../../jobs/authorizer.ts';"],
  ['lambdas/api', 'lambdas/api/dogs/bark/get.ts', "import { GetCommand } from '@aws-sdk/lib-dynamodb';"],
  ['lambdas/jobs', 'lambdas/jobs/purge-dog.ts', "import { handler } from '../api/dogs/delete.ts';"],
  ['lambdas/jobs', 'lambdas/jobs/bark-on-schedule.ts', "import { handler } from './authorizer.ts';"],
  ['lambdas/contract', 'lambdas/contract/routes.ts', "import { dogId } from '../domain/dogs/dog.ts';"],
  ['lib: types only', 'lib/api.ts', "import { environment } from '../lambdas/environment.ts';"],
  ['lib', 'lib/alarms.ts', "import type { Dog } from '../lambdas/domain/dogs/dog.ts';"],
  ['lib', 'lib/bark-schedules.ts', "import { openApiDocument } from '../openapi/document.ts';"],
  ['lib', 'lib/bark-workflow.ts', "import { Template } from '../local/template/template.ts';"],
  ['lib', 'lib/budget.ts', "import { service } from '../tools/service.ts';"],
  ['local', 'local/start.ts', "import { routes } from '../lambdas/contract/routes.ts';"],
  ['local', 'local/clients.ts', "await import('../lambdas/api/dogs/get.ts');"],
  ['local', 'local/emulators.ts', "import { Tables } from '../lib/tables.ts';"],
  ['local', 'local/iam/policies.ts', "import { service } from '../../tools/service.ts';"],
  ['bin/cli', 'bin/cli/main.ts', "import { Problem } from '../../lambdas/http/problem.ts';"],
  ['bin/cli', 'bin/cli/protection.ts', "const { log } = await import('../../local/platform/log.ts');"],
  ['bin/deploy', 'bin/deploy/checks.ts', "import { Tables } from '../../lib/tables.ts';"],
  ['bin/invoke', 'bin/invoke.ts', "import { groups } from './cli/command-tree.ts';"],
  ['bin/dogs', 'bin/dogs.ts', "import { dogId } from '../lambdas/domain/dogs/dog.ts';"],
  ['lib', 'lib/bundles.ts', "export { pages } from '../bin/pages.ts';"],
  ['openapi', 'openapi/document.ts', "import { Tables } from '../lib/tables.ts';"],
  ['openapi', 'openapi/digest.ts', "import { lint } from './tools/run.ts';"],
  ['openapi/tools', 'openapi/tools/run.ts', "import { schemas } from '../schemas.ts';"],
  ['client', 'client/index.ts', "import { dogDocument } from '../lambdas/http/representations.ts';"],
  ['examples', 'examples/client.ts', "import type { Access } from '../bin/start/access.ts';"],
  ['web', 'web/console/main.tsx', "import { routes } from '../../lambdas/contract/routes.ts';"],
  ['bench', 'bench/run.ts', "import { invoke } from '../test/support/invoke.ts';"],
  ['bench', 'bench/aws-stand-in.ts', "import type { invoke } from '../test/support/invoke.ts';"],
  ['tools', 'tools/service.ts', "import { median } from '../bench/turns.ts';"],
  ['tools', 'tools/cost.ts', "import type { Access } from '../test/support/client.ts';"],
  ['tools: types only', 'tools/browser.ts', "import { createAccess } from '../bin/start/access.ts';"],
  ['test', 'test/lib/functions.test.ts', "import { measure } from '../../bench/sizes.ts';"],
  ['the root', 'jest.config.js', "import './lib/app.ts';"],
  ['nothing imports test', 'bench/chart.ts', "import { invoke } from '../test/support/invoke.ts';"],
  ['nothing imports test', 'web/console/Account.tsx', "await import('../../test/console/support.ts');"],
  ['each file is in a folder of the plan', 'scripts/run.ts', "import 'node:fs';"],
  ['everything imported exists', 'lib/constructs.ts', "import 'constructs/nothing';"],
  ['no cycles', 'lib/dead-letter-queue.ts', "import { DeadLetterQueue } from './dead-letter-queue.ts';"],
];

const allowed: readonly (readonly [file: string, source: string])[] = [
  ['lambdas/http/header.ts', "import type { Dog } from '../domain/dogs/repository.ts';"],
  ['lambdas/http/http-date.ts', "import { type Dog, type Page } from '../domain/dogs/repository.ts';"],
  ['lambdas/http/idempotency-key.ts', "export type { Dog } from '../domain/dogs/repository.ts';"],
  ['lambdas/http/json-body.ts', "import { effects } from '../domain/dogs/dog.ts';"],
  ['lib/dog-service-stack.ts', "import type { Environment } from '../lambdas/environment.ts';"],
  ['lib/encryption.ts', "import { routes } from '../lambdas/contract/routes.ts';"],
  ['test/lib/summary.ts', "import { codeOf } from '../../tools/functions.ts';"],
  ['lambdas/domain/dogs/dog.ts', "import { hash } from 'node:crypto';"],
  ['lambdas/http/request.ts', "import type { APIGatewayProxyEvent } from 'aws-lambda';"],
];

/** A cycle that consists only of type imports. */
const cycle = {
  'lib/tokens.ts': "import type { Mail } from './mail.ts';",
  'lib/mail.ts': "import { type Tokens } from './tokens.ts';",
};

/** Returns the names of the broken rules, by file. */
async function brokenRules(): Promise<Map<string, string[]>> {
  const examples = [...forbidden.map(([, ...example]) => example), ...allowed, ...Object.entries(cycle)];
  const imported = examples.flatMap(([file, source]) => {
    const [, specifier] = /'(\..*?)'/.exec(source) ?? [];
    return specifier ? [[join(dirname(file), specifier), '']] : [];
  });
  const directory = mkdtempSync(join(tmpdir(), 'imports-'));
  try {
    for (const [path = '', source = ''] of [...imported, ...examples]) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), source);
    }
    const { output } = await cruise(['.'], { ...options, baseDir: directory });
    const { violations } = (output as ICruiseResult).summary;
    const byFile = Map.groupBy(violations, ({ from }) => from);
    return new Map([...byFile].map(([file, broken]) => [file, broken.map(({ rule }) => rule.name)]));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

describe('.dependency-cruiser.js', () => {
  const broken = brokenRules();

  test('gets a file for each example', () => {
    const files = [...forbidden.map(([, file]) => file), ...allowed.map(([file]) => file)];
    expect(files.filter((file, i) => files.indexOf(file) !== i)).toEqual([]);
  });

  test.each(forbidden)('has the rule "%s", which %s breaks with %s', async (rule, file) => {
    expect((await broken).get(file)).toContain(rule);
  });

  test('forbids a cycle that consists only of type imports', async () => {
    const rules = await broken;
    expect(Object.keys(cycle).flatMap((file) => rules.get(file) ?? [])).toEqual(['no cycles']);
  });

  test.each(allowed)('allows %s to contain %s', async (file) => {
    expect((await broken).get(file)).toBeUndefined();
  });
});

describe('the project', () => {
  const sources = globSync('{*,[!.]*/**/*}.{js,mjs,ts,tsx}', {
    cwd: project,
    exclude: (name) => name === 'node_modules',
  });

  test('has files for each rule of a folder', () => {
    const paths = (options.ruleSet?.forbidden ?? []).map(({ from }) =>
      String((from as { path?: string }).path ?? ''),
    );
    expect(paths.filter((path) => !sources.some((source) => new RegExp(path).test(source)))).toEqual([]);
  });

  test('has no type expressions with import(…), which dependency-cruiser does not detect', () => {
    const typed = sources.filter((source) => /\/.*\.tsx?$/.test(source));
    expect(typed.length).toBeGreaterThan(400);
    const found = typed.filter((source) =>
      /(?:typeof |[:<|&] ?)import\(/.test(readFileSync(join(project, source), 'utf8')),
    );
    expect(found).toEqual([]);
  });
});
