import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { environmentVariablesOf } from '../local/lambda/environment-variables.ts';
import { readAssembly } from '../local/template/synthesize.ts';
import { codeOf, functionsOf, type MeasuredFunction } from '../tools/functions.ts';
import { newDirectory, startService } from '../tools/service.ts';
import { type AwsRequest, type AwsResponse, AwsStandIn, keyOf, type Recording } from './aws-stand-in.ts';
import { type Known, type Step, scenario } from './scenario.ts';

/** A call of a function, with all the data that a repeat needs. */
export interface RecordedStep {
  readonly name: string;
  readonly function: MeasuredFunction;
  readonly code: string;
  readonly event: object;
  readonly eventFile: string;
  /** The environment of the function, without `AWS_ENDPOINT_URL`. */
  readonly environment: Environment;
  readonly recording: Recording;
}

type Environment = Readonly<Record<string, string>>;

const runner = join(import.meta.dirname, 'call.cjs');

/** The response of a function, and the processor time of loading and calling it, in microseconds. */
export interface ColdCall {
  readonly response: unknown;
  readonly cpu: { readonly loading: number; readonly calling: number };
}

/** Loads a function in a separate process, without a call. */
export async function load(code: string, env: Environment): Promise<void> {
  await promisify(execFile)(process.execPath, [runner, code], { env });
}

/** Loads and calls a function in a separate process. */
export async function callCold(code: string, env: Environment, eventFile: string): Promise<ColdCall> {
  const { stdout } = await promisify(execFile)(process.execPath, [runner, code, eventFile], {
    env,
    maxBuffer: 2 ** 24,
  });
  return JSON.parse(stdout);
}

/**
 * Starts a service, calls each function once, and records the responses of AWS.
 *
 * @returns the measured steps, and a function that deletes their files
 */
export async function record(): Promise<{ steps: readonly RecordedStep[]; discard: () => void }> {
  const events = newDirectory();
  // An asynchronous bark must stay pending until all steps have used it.
  const service = await startService(mkdtempSync(`${events}-`), {
    settings: ['workflowType=STANDARD', 'cancellationWindowSeconds=3600'],
  });
  let ask: (request: AwsRequest) => Promise<AwsResponse>;
  const standIn = await AwsStandIn.listen((request) => ask(request));
  try {
    const assembly = readAssembly(join(service.directory, 'cdk.out'));
    const functions = new Map(functionsOf(assembly).map((one) => [one.name, one]));
    const { administrator: client } = JSON.parse(
      readFileSync(join(service.directory, 'operator.json'), 'utf8'),
    );
    const responses = new Map<string, unknown>();
    let schedule: Known['schedule'];
    const steps: (RecordedStep & Pick<Step, 'preparation'>)[] = [];
    for (const { name, function: functionName, event: make, preparation } of scenario) {
      const measured = functions.get(functionName);
      if (!measured) throw new Error(`There is no function ${functionName}.`);
      const recording: Recording = {};
      ask = async (request) => {
        const response = await forward(client.endpoint, request);
        if (request.method === 'POST' && request.path.startsWith('/schedules/'))
          schedule = JSON.parse(request.body);
        recording[keyOf(request)] = response;
        return response;
      };
      const event = make({ access: service.access, responses, schedule });
      const eventFile = join(events, `${name}.json`);
      writeFileSync(eventFile, JSON.stringify(event));
      const runtimeContext = {
        assets: assembly.directory,
        endpoint: standIn.url,
        accessKey: client.credentials,
      };
      const environment = {
        ...environmentVariablesOf(measured.resource, runtimeContext),
        LAMBDA_TASK_ROOT: measured.directory,
      };
      const code = codeOf(measured);
      const { response } = await callCold(code, environment, eventFile);
      if (
        Number((response as { statusCode?: number } | null)?.statusCode ?? 200) >= 400 &&
        functionName !== 'Fallback'
      )
        throw new Error(`${name} returned ${JSON.stringify(response)}`);
      responses.set(name, response);
      steps.push({
        name,
        function: measured,
        code,
        event,
        eventFile,
        environment,
        recording,
        ...(preparation && { preparation }),
      });
    }
    return {
      steps: steps.filter(({ preparation }) => !preparation),
      discard: () => {
        for (const directory of [events, service.directory]) rmSync(directory, { recursive: true });
      },
    };
  } finally {
    standIn.close();
    await service.stop();
  }
}

async function forward(endpoint: string, { method, path, headers, body }: AwsRequest): Promise<AwsResponse> {
  const { host, connection, 'content-length': _, expect, ...kept } = headers;
  const response = await fetch(new URL(path, endpoint), {
    method,
    headers: kept as Record<string, string>,
    ...(body !== '' && { body }),
  });
  const { 'content-type': contentType = '', 'x-amz-crc32': crc } = Object.fromEntries(response.headers);
  return {
    status: response.status,
    headers: { 'Content-Type': contentType, ...(crc && { 'x-amz-crc32': crc }) },
    body: await response.text(),
  };
}
