import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AwsEndpoint } from '../endpoint/endpoint.ts';
import { newAccessKey } from '../endpoint/signature.ts';
import type { DataDirectory } from '../platform/data-directory.ts';
import type { Shutdown } from '../platform/shutdown.ts';
import type { Synthesized } from '../template/synthesize.ts';
import type { Invoke } from './async-invocations.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { environmentVariablesOf } from './environment-variables.ts';
import { ResourceNotFoundException } from './errors.ts';
import { LocalFunction } from './local-function.ts';

interface Dependencies {
  readonly endpoint: AwsEndpoint;
  readonly directory: DataDirectory;
  readonly shutdown: Shutdown;
  readonly concurrentExecutions: number;
}

/**
 * Creates the functions of the template, each with its own access key and log file.
 *
 * @returns a function that invokes a Lambda function or an alias by its ARN, within the quota of concurrent executions
 */
export function deployFunctions(synthesized: Synthesized, dependencies: Dependencies): Invoke {
  const functions = createFunctions(synthesized, dependencies);
  dependencies.shutdown.add(() => Promise.all(functions.map((lambda) => lambda.stop())));
  const byArn = new Map(functions.map((lambda) => [lambda.definition.arn, lambda]));
  const { template } = synthesized;
  const entryPoints = new Map(
    template.entryPoints.map(({ arn, lambda }) => [arn, byArn.get(template.arnOf(lambda))]),
  );
  const concurrency = new ConcurrencyLimit(dependencies.concurrentExecutions);
  return async (functionArn, event, requestId) => {
    const lambda = entryPoints.get(functionArn);
    if (!lambda) throw new ResourceNotFoundException(functionArn);
    return concurrency.run(() => lambda.invoke(event, requestId));
  };
}

function createFunctions(
  { template, directory: assets }: Synthesized,
  { endpoint, directory }: Dependencies,
): LocalFunction[] {
  const logs = directory.file('logs');
  mkdirSync(logs, { recursive: true });
  return template.ofType('AWS::Lambda::Function').map((resource) => {
    const { name, properties } = resource;
    const accessKey = newAccessKey();
    endpoint.addCaller(accessKey, name);
    return new LocalFunction({
      name,
      arn: template.arnOf(resource),
      directory: join(assets, properties.assetPath),
      handler: properties.Handler,
      timeoutSeconds: properties.Timeout ?? 3,
      memoryMegabytes: properties.MemorySize ?? 128,
      logFile: join(logs, `${name}.log`),
      environment: environmentVariablesOf(resource, { assets, endpoint: endpoint.url, accessKey }),
    });
  });
}
