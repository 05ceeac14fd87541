import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { environmentVariablesOf, readAssembly } from '@rest-actions/local-cloud/template';
import { functionsOf, type MeasuredFunction } from '../../tools/functions.ts';
import { newDirectory, startService } from '../../tools/service.ts';
import { type AwsRequest, type AwsResponse, keyOf, type Recording, standInForAws } from './aws-stand-in.ts';
import { coldStart } from './cold-process.ts';
import { type Known, scenario } from './scenario.ts';

/** A call to a function, with everything needed to repeat it. */
export interface RecordedStep {
  readonly name: string;
  readonly function: MeasuredFunction;
  readonly module: string;
  readonly event: object;
  readonly environment: Environment;
  readonly recording: Recording;
}

type Environment = Readonly<Record<string, string>>;

/**
 * Starts a local service, runs the scenario, and records the emulators' responses to the functions.
 *
 * @returns the measured steps, and a function that deletes their files
 */
export async function record(): Promise<{ steps: readonly RecordedStep[]; discard: () => void }> {
  // An asynchronous bark must stay pending until all steps have used it.
  const service = await startService(newDirectory(), {
    settings: ['workflowType=STANDARD', 'cancellationWindowSeconds=3600'],
  });
  let ask: (request: AwsRequest) => Promise<AwsResponse>;
  const standIn = await standInForAws((request) => ask(request));
  try {
    const assembly = readAssembly(join(service.directory, 'cdk.out'));
    const functions = new Map(functionsOf(assembly).map((one) => [one.name, one]));
    const { administrator: client } = JSON.parse(
      readFileSync(join(service.directory, 'operator.json'), 'utf8'),
    );
    const responses = new Map<string, unknown>();
    let schedule: Known['schedule'];
    const steps: RecordedStep[] = [];
    for (const { name, function: functionName, event: make } of scenario) {
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
      const runtimeContext = {
        assets: assembly.directory,
        endpoint: standIn.url,
        baseUrl: 'https://dogs.example',
        accessKey: client.credentials,
      };
      const environment = {
        ...environmentVariablesOf(measured.resource, runtimeContext),
        LAMBDA_TASK_ROOT: measured.directory,
      };
      const module = moduleOf(measured);
      const { response } = await coldStart({ module, event, environment });
      if (
        Number((response as { statusCode?: number } | null)?.statusCode ?? 200) >= 400 &&
        functionName !== 'Fallback'
      )
        throw new Error(`${name} returned ${JSON.stringify(response)}`);
      responses.set(name, response);
      steps.push({ name, function: measured, module, event, environment, recording });
    }
    return { steps, discard: () => rmSync(service.directory, { recursive: true }) };
  } finally {
    standIn.close();
    await service.stop();
  }
}

function moduleOf({ directory, resource }: MeasuredFunction): string {
  return join(directory, `${resource.properties.Handler.split('.')[0]}.mjs`);
}

/** `fetch` would replace the Host header, which the signature covers. */
async function forward(endpoint: string, { method, path, headers, body }: AwsRequest): Promise<AwsResponse> {
  const outgoing = httpRequest(new URL(path, endpoint), { method, headers });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const { 'content-type': contentType = '', 'x-amz-crc32': crc } = response.headers;
  return {
    status: response.statusCode ?? 0,
    headers: { 'Content-Type': contentType, ...(crc && { 'x-amz-crc32': String(crc) }) },
    body: await text(response),
  };
}
