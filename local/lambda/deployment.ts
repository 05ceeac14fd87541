import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AwsEndpoint } from '../endpoint/endpoint.ts';
import type { Clock } from '../platform/clock.ts';
import type { DataDirectory } from '../platform/data-directory.ts';
import type { Resource } from '../template/resource.ts';
import type { Synthesized } from '../template/synthesize.ts';
import type { Invoke } from './async-invocations.ts';
import { environmentVariablesOf } from './environment-variables.ts';
import { ResourceNotFoundException, TooManyRequestsException } from './errors.ts';
import { type FunctionDefinition, LocalFunction } from './local-function.ts';

interface Dependencies {
  readonly endpoint: AwsEndpoint;
  readonly directory: DataDirectory;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly concurrentExecutions: number;
  readonly clock?: Clock;
}

export class Functions {
  private readonly dependencies: Dependencies;
  private readonly logs: string;
  private running = 0;
  /** By entry point ARN. Removed functions stay, because requests and executions in progress can invoke them. */
  private readonly functions = new Map<string, LocalFunction>();

  constructor(dependencies: Dependencies) {
    this.dependencies = dependencies;
    this.logs = dependencies.directory.file('logs');
    mkdirSync(this.logs, { recursive: true });
  }

  /** Invocations in progress complete with the old code. */
  deploy({ template, directory }: Synthesized): void {
    for (const resource of template.ofType('AWS::Lambda::Function')) {
      const definition = this.definitionOf(resource, template.arnOf(resource), directory);
      const existing = this.functions.get(definition.arn);
      existing?.update(definition);
      this.functions.set(definition.arn, existing ?? new LocalFunction(definition, this.dependencies.clock));
    }
    for (const { arn, lambda } of template.entryPoints) {
      const local = this.functions.get(template.arnOf(lambda));
      if (local) this.functions.set(arn, local);
    }
  }

  readonly invoke: Invoke = async (functionArn, event, requestId) => {
    const lambda = this.functions.get(functionArn);
    if (!lambda) throw new ResourceNotFoundException(functionArn);
    if (this.running >= this.dependencies.concurrentExecutions) throw new TooManyRequestsException();
    this.running += 1;
    return lambda.invoke(event, requestId).finally(() => {
      this.running -= 1;
    });
  };

  async stop(): Promise<void> {
    await Promise.all([...new Set(this.functions.values())].map((lambda) => lambda.stop()));
  }

  private definitionOf(resource: Resource, arn: string, assets: string): FunctionDefinition {
    const { name, properties } = resource;
    return {
      name,
      arn,
      directory: join(assets, properties.assetPath),
      handler: properties.Handler,
      timeoutSeconds: properties.Timeout ?? 3,
      memoryMegabytes: properties.MemorySize ?? 128,
      logFile: join(this.logs, `${name}.log`),
      environment: environmentVariablesOf(resource, {
        assets,
        endpoint: this.dependencies.endpoint.url,
        baseUrl: this.dependencies.baseUrl,
        accessKey: this.dependencies.endpoint.accessKeyOf(name),
      }),
    };
  }
}
