import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseSync } from '@swc/core';

const project = resolve(import.meta.dirname, '..');

interface Import {
  /** A file of the project, or the name of a package. */
  readonly target: string;
  /** Nothing of it is there when the code runs. */
  readonly typeOnly: boolean;
}

interface Room {
  readonly files: RegExp;
  /** What its files may import. */
  readonly may: readonly RegExp[];
  /** What its files may import of types alone, beside that. */
  readonly mayTypesOf?: readonly RegExp[];
}

const node = /^node:/;
const valibot = /^valibot$/;
const eventTypes = /^aws-lambda$/;

/** The first that a file belongs to is its room. */
const rooms: Record<string, Room> = {
  'lambdas/domain': {
    files: /^lambdas\/domain\//,
    may: [
      /^lambdas\/domain\//,
      /^lambdas\/environment\.ts$/,
      /^@aws-sdk\//,
      /^(jose|oauth4webapi|ulid)$/,
      valibot,
      node,
    ],
  },
  'lambdas/http': {
    files: /^lambdas\/http\//,
    may: [
      /^lambdas\/http\//,
      /^lambdas\/contract\/(cors|status-text)\.ts$/,
      /^lambdas\/domain\/(barks\/bark|dogs\/dog|schedules\/schema|platform\/(document|errors|json|logging|request-context))\.ts$/,
      /^@middy\//,
      /^negotiator$/,
      valibot,
      node,
    ],
    mayTypesOf: [/^lambdas\/domain\//, eventTypes],
  },
  'lambdas/api': {
    files: /^lambdas\/api\//,
    may: [/^lambdas\/(domain|http)\//, /^lambdas\/contract\/routes\.ts$/],
  },
  'lambdas/jobs': {
    files: /^lambdas\/jobs\//,
    may: [/^lambdas\/(domain|http)\//],
    mayTypesOf: [eventTypes],
  },
  'what the stack shares with the functions': {
    files: /^lambdas\/(contract\/.*|environment\.ts)$/,
    may: [],
  },
  "what stands in the bundles for a part of the SDK's": {
    files: /^lambdas\/credential-provider\.ts$/,
    may: [/^@aws-sdk\/credential-provider-env$/],
  },
  lib: {
    files: /^lib\//,
    may: [/^lib\//, /^lambdas\/contract\//, /^aws-cdk-lib(\/|$)/, /^constructs$/, /^esbuild$/, valibot, node],
    mayTypesOf: [/^lambdas\/(environment|domain\/platform\/logging)\.ts$/],
  },
  'the CDK app': {
    files: /^bin\/(dogs|pages)\.ts$/,
    may: [/^bin\/pages\.ts$/, /^lib\//, /^openapi\/(document|page)\.ts$/, /^esbuild$/, node],
  },
  'what npm start runs': {
    files: /^bin\/start(\/[\w-]+)?\.ts$/,
    may: [
      /^bin\/start\//,
      /^local\/start\.ts$/,
      /^local\/platform\/(data-directory|log|service-texts|shutdown|user-error)\.ts$/,
      node,
    ],
  },
  "the operator's command line": {
    files: /^bin\/operator(\/[\w-]+)?\.ts$/,
    may: [
      /^bin\/operator\//,
      /^lambdas\/domain\//,
      /^@aws-sdk\/client-(cloudformation|dynamodb|dynamodb-streams|lambda|sqs)$/,
      valibot,
      node,
    ],
    mayTypesOf: [/^lambdas\/environment\.ts$/],
  },
  'the command that invokes a function': {
    files: /^bin\/invoke(\/\w+)?\.ts$/,
    may: [
      /^bin\/invoke\//,
      /^bin\/operator\/(deployment|usage)\.ts$/,
      /^@aws-sdk\/client-(cloudformation|lambda)$/,
      node,
    ],
  },
  'the check of the version of Node': { files: /^bin\/require-node\.mjs$/, may: [] },
  'the page at the root': {
    files: /^console\//,
    may: [/^client\//, /^console\//, /^lambdas\/contract\/status-text\.ts$/],
  },
  'the client for programs': { files: /^client\//, may: [/^client\//, /^openapi-fetch$/] },
  'what makes types of the description, and lints it': {
    files: /^openapi\/tools\//,
    may: [/^openapi\/(digest|document)\.ts$/, node],
  },
  'the description of the interface': {
    files: /^openapi\//,
    may: [
      /^openapi\/(?!tools\/)/,
      /^lambdas\/domain\/(barks\/bark|dogs\/dog|[a-z]+\/schema)\.ts$/,
      /^lambdas\/http\/schemas\.ts$/,
      /^lambdas\/contract\/(gateway-responses|routes|status-text)\.ts$/,
      /^@valibot\/to-json-schema$/,
      valibot,
      node,
    ],
  },
  'the benchmark': {
    files: /^bench\//,
    may: [
      /^bench\//,
      /^lambdas\//,
      /^lib\//,
      /^local\//,
      /^tools\//,
      /^@aws-sdk\//,
      /^@middy\//,
      /^(autocannon|esbuild|mitata)$/,
      node,
    ],
    mayTypesOf: [/^bin\/start\/access\.ts$/, eventTypes],
  },
  'what the tests and the benchmarks share': {
    files: /^tools\//,
    may: [/^tools\//, /^lambdas\/contract\/routes\.ts$/, /^local\/(iam|template)\//, node],
    mayTypesOf: [/^local\/access\.ts$/, eventTypes],
  },
  local: {
    files: /^local\//,
    may: [/^local\//, /^(aws-local-stepfunctions|negotiator)$/, /^@aws-(sdk|crypto)\//, /^@smithy\//, node],
    mayTypesOf: [eventTypes],
  },
};

const files = ['bench', 'bin', 'client', 'console', 'lambdas', 'lib', 'local', 'openapi', 'tools'].flatMap(
  (folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((name) => /\.m?[jt]s$/.test(name) && !name.includes('/node_modules/')),
);

function roomOf(file: string): Room | undefined {
  return Object.values(rooms).find((room) => room.files.test(file));
}

function isAllowed(file: string, { target, typeOnly }: Import): boolean {
  const { may = [], mayTypesOf = [] } = roomOf(file) ?? {};
  return [...may, ...(typeOnly ? mayTypesOf : [])].some((allowed) => allowed.test(target));
}

function importsOf(file: string): Import[] {
  return importsIn(readFileSync(join(project, file), 'utf8'), file);
}

function importsIn(source: string, file: string): Import[] {
  const dynamic = [...source.matchAll(/\bimport\(\s*(['"`])(.*?)\1/g)].map(([, , specifier = '']) => ({
    specifier,
    typeOnly: false,
  }));
  return [...staticImports(source), ...dynamic].map(({ specifier, typeOnly }) => ({
    target: specifier.startsWith('.')
      ? relative(project, resolve(project, file, '..', specifier)).replaceAll('\\', '/')
      : specifier,
    typeOnly,
  }));
}

function staticImports(source: string): { specifier: string; typeOnly: boolean }[] {
  return parseSync(source, { syntax: 'typescript', target: 'es2024' }).body.flatMap((statement) => {
    switch (statement.type) {
      case 'ImportDeclaration': {
        const { source: from, typeOnly, specifiers } = statement;
        const types = specifiers.filter((one) => one.type === 'ImportSpecifier' && one.isTypeOnly);
        const allTypes = specifiers.length > 0 && types.length === specifiers.length;
        return [{ specifier: from.value, typeOnly: typeOnly || allTypes }];
      }
      case 'ExportNamedDeclaration':
        return statement.source ? [{ specifier: statement.source.value, typeOnly: statement.typeOnly }] : [];
      case 'ExportAllDeclaration':
        return [{ specifier: statement.source.value, typeOnly: false }];
      default:
        return [];
    }
  });
}

test('every file is in a room', () => {
  expect(files.length).toBeGreaterThan(40);
  expect(files.filter((file) => !roomOf(file))).toEqual([]);
});

test.each(Object.keys(rooms))('%s has files', (name) => {
  expect(files.some((file) => roomOf(file) === rooms[name])).toBe(true);
});

test.each(files)('%s imports only what its room may', (file) => {
  expect(importsOf(file).filter((imported) => !isAllowed(file, imported))).toEqual([]);
});

test('nothing imports what is not there', () => {
  const imported = files
    .flatMap(importsOf)
    .filter(({ target }) => /^(bench|bin|client|lambdas|lib|local|openapi|tools)\//.test(target));
  expect(imported.length).toBeGreaterThan(50);
  expect(imported.filter(({ target }) => !files.includes(target))).toEqual([]);
});

test('what runs on AWS is made of dependencies, and of all of them', () => {
  const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const packages = files
    .filter((file) => file.startsWith('lambdas/'))
    .flatMap(importsOf)
    .filter(({ target, typeOnly }) => !typeOnly && !target.startsWith('lambdas/') && !node.test(target));
  expect([...new Set(packages.map(({ target }) => target))].sort()).toEqual(Object.keys(dependencies).sort());
});

describe('The borders hold against', () => {
  test.each([
    ['lambdas/domain/dogs/repository.ts', "import { Problem } from '../../http/problem.ts';"],
    ['lambdas/domain/dogs/repository.ts', "import { handler } from '../../api/dogs/get.ts';"],
    ['lambdas/domain/dogs/repository.ts', "import { routes } from '../../contract/routes.ts';"],
    ['lambdas/domain/dogs/repository.ts', "import type { APIGatewayProxyEvent } from 'aws-lambda';"],
    ['lambdas/domain/dogs/repository.ts', "import middy from '@middy/core';"],
    ['lambdas/domain/dogs/repository.ts', "export * from '../../../local/platform/log.ts';"],
    ['lambdas/http/pagination.ts', "import { GetCommand } from '@aws-sdk/lib-dynamodb';"],
    ['lambdas/http/pagination.ts', "import { readDog } from '../domain/dogs/repository.ts';"],
    ['lambdas/http/pagination.ts', "import { type Dog, readDog } from '../domain/dogs/repository.ts';"],
    ['lambdas/http/pagination.ts', "import '../domain/dogs/repository.ts';"],
    ['lambdas/http/pagination.ts', "import { environment } from '../environment.ts';"],
    ['lambdas/http/pagination.ts', "export { readDog } from '../domain/dogs/repository.ts';"],
    ['lambdas/http/pagination.ts', "await import('../domain/dogs/repository.ts');"],
    ['lambdas/api/dogs/get.ts', "import { handler } from './list.ts';"],
    ['lambdas/api/dogs/get.ts', "import { handler } from '../fallback.ts';"],
    ['lambdas/api/dogs/get.ts', "import { handler } from '../../jobs/authorizer.ts';"],
    ['lambdas/api/dogs/get.ts', "import { GetCommand } from '@aws-sdk/lib-dynamodb';"],
    ['lambdas/jobs/purge-dog.ts', "import { handler } from '../api/dogs/delete.ts';"],
    ['lambdas/jobs/purge-dog.ts', "import { handler } from './authorizer.ts';"],
    ['lambdas/contract/routes.ts', "import { dogId } from '../domain/dogs/dog.ts';"],
    ['lib/api.ts', "import { environment } from '../lambdas/environment.ts';"],
    ['lib/api.ts', "import type { Dog } from '../lambdas/domain/dogs/dog.ts';"],
    ['lib/api.ts', "import { openApiDocument } from '../openapi/document.ts';"],
    ['lib/api.ts', "import { Template } from '../local/template/template.ts';"],
    ['lib/api.ts', "import { service } from '../tools/service.ts';"],
    ['local/start.ts', "import { routes } from '../lambdas/contract/routes.ts';"],
    ['local/start.ts', "await import('../lambdas/api/dogs/get.ts');"],
    ['local/start.ts', "import { Tables } from '../lib/tables.ts';"],
    ['local/start.ts', "import { service } from '../tools/service.ts';"],
    ['bin/operator.ts', "import { Problem } from '../lambdas/http/problem.ts';"],
    ['bin/operator.ts', "const { log } = await import('../local/platform/log.ts');"],
    ['bin/invoke.ts', "import { commands } from './operator/commands.ts';"],
    ['bin/dogs.ts', "import { dogId } from '../lambdas/domain/dogs/dog.ts';"],
  ])('%s with %s', (file, source) => {
    const [imported, ...others] = importsIn(source, file);
    expect(others).toEqual([]);
    expect(imported && isAllowed(file, imported)).toBe(false);
  });

  test.each([
    ['lambdas/http/pagination.ts', "import type { Dog } from '../domain/dogs/repository.ts';"],
    ['lambdas/http/pagination.ts', "import { type Dog, type Page } from '../domain/dogs/repository.ts';"],
    ['lambdas/http/pagination.ts', "export type { Dog } from '../domain/dogs/repository.ts';"],
    ['lambdas/http/pagination.ts', "import { effects } from '../domain/dogs/dog.ts';"],
    ['lib/api.ts', "import type { Environment } from '../lambdas/environment.ts';"],
  ])('no more than that: %s with %s', (file, source) => {
    expect(importsIn(source, file).map((imported) => isAllowed(file, imported))).toEqual([true]);
  });
});
