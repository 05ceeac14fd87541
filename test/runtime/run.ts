import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource, Template } from '@rest-actions/local-cloud/template';
import {
  environmentVariablesOf,
  type RuntimeContext,
  readAssembly,
} from '@rest-actions/local-cloud/template';
import { readCommandLine } from '../../lib/command-line.ts';
import { startService } from '../../tools/service.ts';
import { operatorAccess } from '../start/operator-access.ts';
import { eventFile, type FunctionResult, faultOf, type Sample, samples } from '../support/sample-events.ts';
import { installedRuntime, notInstalled } from './install.ts';
import { RuntimeApi } from './runtime-api.ts';

const usage = `npm run check -- runtime

Runs each bundle with the runtime that Lambda uses, and sends the bundle its sample event. Each bundle runs in its own process, with
the handler and the environment variables from the template. The bundles call the local emulators of the AWS services, which this
script starts.`;

readCommandLine(usage, {});

/** Lambda disables these features of Node.js. */
const nodeFlags = ['--no-experimental-require-module', '--no-experimental-detect-module'];

async function resultOf(
  runtime: string,
  resource: Resource,
  functionArn: string,
  runtimeContext: RuntimeContext,
): Promise<FunctionResult> {
  const event: unknown = JSON.parse(readFileSync(eventFile(resource.name), 'utf8'));
  const timeoutMs = 1000 * (resource.properties.Timeout ?? 3);
  const api = new RuntimeApi({
    requestId: randomUUID(),
    functionArn,
    event,
    deadline: Date.now() + timeoutMs,
  });
  const child = startRuntime(runtime, {
    ...environmentVariablesOf(resource, runtimeContext),
    AWS_LAMBDA_RUNTIME_API: await api.listen(),
  });
  try {
    return await Promise.race([api.result, failureOf(child, timeoutMs)]);
  } finally {
    child.kill();
    api.close();
  }
}

function startRuntime(runtime: string, env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [...nodeFlags, runtime], { cwd: env.LAMBDA_TASK_ROOT, env, stdio: 'pipe' });
}

/** Waits until a function ends or times out without a response, and returns this as its result, with the function's log. */
function failureOf(child: ChildProcess, timeoutMs: number): Promise<FunctionResult> {
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ thrown: `The runtime ended with exit code ${code}:\n${log}` }));
    setTimeout(
      () => resolve({ thrown: `The function did not respond within ${timeoutMs} ms:\n${log}` }),
      timeoutMs,
    ).unref();
  });
}

async function run(runtime: string, all: readonly Sample[]): Promise<string[]> {
  const service = await startService();
  try {
    const { template, directory } = readAssembly(join(service.directory, 'cdk.out'));
    const { endpoint, credentials: accessKey } = operatorAccess(service.directory).client;
    const surroundings = { assets: directory, endpoint, baseUrl: service.access.base_url, accessKey };
    const failures: string[] = [];
    for (const sample of all) {
      const resource = functionNamed(template, sample.name);
      const result = await resultOf(runtime, resource, template.arnOf(resource), surroundings);
      const failure = faultOf(sample, result);
      console.log(`${failure === undefined ? '✓' : '✕'} ${sample.name}`);
      if (failure !== undefined) failures.push(`${sample.name}: ${failure}`);
    }
    return failures;
  } finally {
    await service.stop();
    rmSync(service.directory, { recursive: true });
  }
}

function functionNamed(template: Template, name: string): Resource {
  const found = template.ofType('AWS::Lambda::Function').find((resource) => resource.name === name);
  if (!found) throw new Error(`There is no function ${name}.`);
  return found;
}

const all = samples('unchanged');
const runtime = installedRuntime();
if (runtime === undefined) {
  console.log(notInstalled);
  console.log(`0 passed, 0 failed, ${all.length} skipped`);
} else {
  const failures = await run(runtime, all).catch((error) => all.map(({ name }) => `${name}: ${error}`));
  for (const failure of failures) console.error(failure);
  console.log(`${all.length - failures.length} passed, ${failures.length} failed`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}
