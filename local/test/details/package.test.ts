import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const local = join(import.meta.dirname, '../..');
const root = mkdtempSync(join(tmpdir(), 'packed-'));
const app = join(root, 'app');
const fromRoot = (path: string) => join(local, '..', path);

afterAll(() => rmSync(root, { recursive: true }));

const npm = (cwd: string, ...parameters: string[]) =>
  execFileSync('npm', parameters, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
const node = (...parameters: string[]) =>
  execFileSync(process.execPath, parameters, { cwd: app, encoding: 'utf8' });

/** Packs a copy, because npm changes the folder while it packs. Returns the path of the tarball. */
function pack(): string {
  const copy = join(root, 'copy');
  for (const name of ['LICENSE', 'tsconfig.json', 'tools/pack.ts']) cpSync(fromRoot(name), join(copy, name));
  cpSync(local, join(copy, 'local'), {
    recursive: true,
    filter: (path) => path !== join(local, 'test'),
  });
  symlinkSync(fromRoot('node_modules'), join(copy, 'node_modules'), 'junction');
  const before = readFileSync(join(copy, 'local/package.json'), 'utf8');
  const names = readdirSync(join(copy, 'local'));
  npm(join(copy, 'local'), 'pack', '--loglevel=error', '--pack-destination', root);
  expect(readFileSync(join(copy, 'local/package.json'), 'utf8')).toBe(before);
  expect(readdirSync(join(copy, 'local'))).toEqual(names);
  return join(root, String(readdirSync(root).find((name) => name.endsWith('.tgz'))));
}

/** Writes what the CDK synthesizes for a function at the root of an API. */
function writeAssembly(directory: string): void {
  const FunctionName = 'arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/';
  const template = {
    Resources: {
      Api: { Type: 'AWS::ApiGateway::RestApi', Properties: {} },
      Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'test' } },
      Role: { Type: 'AWS::IAM::Role', Properties: {} },
      Hello: {
        Type: 'AWS::Lambda::Function',
        Properties: { Handler: 'index.handler', Role: { 'Fn::GetAtt': ['Role', 'Arn'] } },
        Metadata: { 'aws:asset:path': 'asset.hello' },
      },
      Get: {
        Type: 'AWS::ApiGateway::Method',
        Properties: {
          HttpMethod: 'GET',
          ResourceId: { 'Fn::GetAtt': ['Api', 'RootResourceId'] },
          AuthorizationType: 'NONE',
          Integration: {
            Type: 'AWS_PROXY',
            Uri: { 'Fn::Join': ['', [FunctionName, { 'Fn::GetAtt': ['Hello', 'Arn'] }, '/invocations']] },
          },
        },
      },
    },
  };
  const properties = { templateFile: 'Stack.template.json' };
  const artifacts = { Stack: { type: 'aws:cloudformation:stack', properties } };
  mkdirSync(join(directory, 'asset.hello'), { recursive: true });
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ artifacts }));
  writeFileSync(join(directory, properties.templateFile), JSON.stringify(template));
  writeFileSync(
    join(directory, 'asset.hello/index.mjs'),
    "export const handler = async () => ({ statusCode: 200, body: 'Hello' });",
  );
}

test('the tarball runs the example of the README in another project, and has its types and a license', () => {
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(local, 'README.md'), 'utf8')) ?? [];
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(app, 'app.ts'), example);
  writeAssembly(join(app, 'cdk.out'));
  npm(app, 'install', '--prefer-offline', '--no-audit', '--no-fund', pack());
  expect(node('app.ts')).toBe('200 Hello\n');
  const typeRoots = ['--types', 'node', '--typeRoots', fromRoot('node_modules/@types')];
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', ...typeRoots];
  expect(node(fromRoot('node_modules/typescript/bin/tsc'), ...options, 'app.ts')).toBe('');
  const installed = readdirSync(join(app, 'node_modules/@rest-actions/local-cloud'));
  expect(installed.sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
});
