import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AwsEndpoint } from '../../endpoint/endpoint.ts';
import { Functions } from '../../lambda/deployment.ts';
import { TooManyRequestsException } from '../../lambda/errors.ts';
import { DataDirectory } from '../../platform/data-directory.ts';
import { arn } from '../../template/arns.ts';
import type { Synthesized } from '../../template/synthesize.ts';
import { Template } from '../../template/template.ts';
import { useTestCloud } from '../support/emulators.ts';

const cloud = useTestCloud();
let functions: Functions;
beforeEach(async () => {
  const endpoint = cloud.use(new AwsEndpoint());
  await endpoint.listen(0);
  const directory = new DataDirectory(cloud.directory);
  cloud.use({ stop: () => directory.release() });
  functions = cloud.use(
    new Functions({ endpoint, directory, baseUrl: 'http://localhost:3000', concurrentExecutions: 2 }),
  );
});

const arnOf = (name: string) => arn('lambda', `function:Stack-${name}`);

/** Returns a stack of functions, each of which returns a number that starts at its version and grows with each call. */
function stackOf(versions: Record<string, number>): Synthesized {
  const resources = Object.entries(versions).map(([name, version]) => {
    const asset = `asset.${name}${version}`;
    mkdirSync(cloud.file(asset), { recursive: true });
    const source = `let result = ${version}; exports.handler = async () => result++;`;
    writeFileSync(cloud.file(join(asset, 'index.cjs')), source);
    const Metadata = { 'aws:asset:path': asset };
    const Properties = { Handler: 'index.handler', Runtime: 'nodejs24.x' };
    return [name, { Type: 'AWS::Lambda::Function', Properties, Metadata }];
  });
  const template = new Template({ Resources: Object.fromEntries(resources) }, 'Stack');
  return { template, directory: cloud.directory };
}

test('Functions.deploy replaces changed functions, adds new ones, and keeps the others and removed ones', async () => {
  const invoke = (name: string) => functions.invoke(arnOf(name), {});
  functions.deploy(stackOf({ Changed: 100, Same: 200, Removed: 300 }));
  expect([await invoke('Changed'), await invoke('Same'), await invoke('Removed')]).toEqual([100, 200, 300]);
  await expect(invoke('Added')).rejects.toThrow('Function not found');
  functions.deploy(stackOf({ Changed: 400, Same: 200, Added: 500 }));
  expect(await invoke('Changed')).toBe(400);
  // The thread is still the same.
  expect(await invoke('Same')).toBe(201);
  // Requests and executions in progress can still invoke the removed function.
  expect(await invoke('Removed')).toBe(301);
  expect(await invoke('Added')).toBe(500);
});

test('Functions.invoke throttles an invocation beyond the quota, which does not run', async () => {
  functions.deploy(stackOf({ First: 1, Second: 2 }));
  const running = ['First', 'Second'].map((name) => functions.invoke(arnOf(name), {}));
  await expect(functions.invoke(arnOf('First'), {})).rejects.toThrow(TooManyRequestsException);
  expect(await Promise.all(running)).toEqual([1, 2]);
  expect(await functions.invoke(arnOf('First'), {})).toBe(2);
});
