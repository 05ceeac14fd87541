import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { environmentVariablesOf, type RuntimeContext } from '../../local/lambda/environment-variables.ts';
import type { Resource } from '../../local/template/resource.ts';
import { readAssembly } from '../../local/template/synthesize.ts';
import type { Template } from '../../local/template/template.ts';
import { startService } from '../../tools/service.ts';
import { type Answer, eventFile, faultOf, type Sample, samples } from '../support/sample-events.ts';
import { installedRuntime, notInstalled } from './install.ts';
import { RuntimeApi } from './runtime-api.ts';

/**
 * Runs each bundle by the runtime that runs it on Lambda, a process of its own with the template's handler and
 * variables, and sends it its sample event. AWS is a service of this machine, which was just started.
 */

/** Lambda turns these off. */
const flags = ['--no-experimental-require-module', '--no-experimental-detect-module'];

/** What a function answers to its sample event, run as on Lambda. */
async function answerOf(
  runtime: string,
  resource: Resource,
  functionArn: string,
  runtimeContext: RuntimeContext,
): Promise<Answer> {
  const event: unknown = JSON.parse(readFileSync(eventFile(resource.name), 'utf8'));
  const patience = 1000 * (resource.properties.Timeout ?? 3);
  const api = new RuntimeApi({
    requestId: randomUUID(),
    functionArn,
    event,
    deadline: Date.now() + patience,
  });
  const child = startRuntime(runtime, {
    ...environmentVariablesOf(resource, runtimeContext),
    AWS_LAMBDA_RUNTIME_API: await api.listen(),
  });
  try {
    return await Promise.race([api.answered, failureOf(child, patience)]);
  } finally {
    child.kill();
    api.close();
  }
}

function startRuntime(runtime: string, env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [...flags, runtime], { cwd: env.LAMBDA_TASK_ROOT, env, stdio: 'pipe' });
}

/** What is to be said where no answer comes: with all that was logged. */
function failureOf(child: ChildProcess, patience: number): Promise<Answer> {
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ thrown: `The runtime ended with ${code}:\n${log}` }));
    setTimeout(() => resolve({ thrown: `No answer came in time:\n${log}` }), patience).unref();
  });
}

/** @returns what fails, a line each */
async function run(runtime: string, all: readonly Sample[]): Promise<string[]> {
  const service = await startService();
  try {
    const { template, directory } = readAssembly(join(service.directory, 'cdk.out'));
    const { administrator: client } = JSON.parse(
      readFileSync(join(service.directory, 'operator.json'), 'utf8'),
    );
    const { endpoint, credentials } = client;
    const runtimeContext = { assets: directory, endpoint, accessKeyId: credentials.accessKeyId };
    const faults: string[] = [];
    for (const sample of all) {
      const resource = functionNamed(template, sample.name);
      const answer = await answerOf(runtime, resource, template.arnOf(resource), runtimeContext);
      const fault = faultOf(sample, answer);
      console.log(`${fault === undefined ? '✓' : '✕'} ${sample.name}`);
      if (fault !== undefined) faults.push(`${sample.name}: ${fault}`);
    }
    return faults;
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

const all = samples();
const runtime = installedRuntime();
if (runtime === undefined) {
  console.log(notInstalled);
  console.log(`0 passed, 0 failed, ${all.length} skipped`);
} else {
  const faults = await run(runtime, all).catch((error) => all.map(({ name }) => `${name}: ${error}`));
  for (const fault of faults) console.error(fault);
  console.log(`${all.length - faults.length} passed, ${faults.length} failed`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
