import type { Emulator } from '../endpoint/emulator.ts';
import { type AwsResponse, jsonError } from '../endpoint/response.ts';
import type { EntryPoint, Template } from '../template/template.ts';
import type { AsyncInvocations, Invoke } from './async-invocations.ts';
import { FunctionError, TooManyRequestsException } from './errors.ts';

/** Callers identify a function or an alias by its name (`<function>` or `<function>:<alias>`) or its ARN. */
export class LambdaEmulator {
  private entryPoints: readonly EntryPoint[] = [];
  private readonly invoke: Invoke;
  private readonly invocations: Pick<AsyncInvocations, 'put'>;

  constructor(
    template: Template,
    { invoke, invocations }: { invoke: Invoke; invocations: Pick<AsyncInvocations, 'put'> },
  ) {
    this.invoke = invoke;
    this.invocations = invocations;
    this.deploy(template);
  }

  deploy(template: Template): void {
    this.entryPoints = template.entryPoints;
  }

  readonly serve: Emulator = async (call) => {
    const [, name] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(call.path) ?? [];
    if (call.method !== 'POST' || name === undefined)
      return unknownOperation(`${call.method} ${call.path} of Lambda`);
    const entryPoint = this.find(decodeURIComponent(name));
    if (!entryPoint)
      return jsonError(404, 'ResourceNotFoundException', `Function not found: ${decodeURIComponent(name)}`);
    const { 'x-amz-invocation-type': type = 'RequestResponse' } = call.headers;
    const event = call.body.length === 0 ? {} : JSON.parse(call.body.toString('utf8'));
    if (type === 'RequestResponse') return this.invokeSynchronously(entryPoint, event);
    if (type !== 'Event') return unknownOperation(`an invocation of the type ${type}`);
    this.invocations.put(entryPoint.arn, event);
    return { status: 202, headers: {}, body: '' };
  };

  private async invokeSynchronously({ arn, version }: EntryPoint, event: unknown): Promise<AwsResponse> {
    try {
      return completed(version, await this.invoke(arn, event));
    } catch (error) {
      if (error instanceof TooManyRequestsException) return jsonError(429, error.name, error.message);
      if (!(error instanceof FunctionError)) throw error;
      const { errorType, message: errorMessage } = error;
      return completed(version, { errorType, errorMessage }, { 'X-Amz-Function-Error': 'Unhandled' });
    }
  }

  private find(name: string): EntryPoint | undefined {
    return this.entryPoints.find(({ arn }) => arn === name || arn.endsWith(`:function:${name}`));
  }
}

function unknownOperation(what: string): AwsResponse {
  return jsonError(400, 'UnknownOperationException', `The local cloud does not support ${what}.`);
}

function completed(
  version: string,
  payload: unknown,
  headers: Readonly<Record<string, string>> = {},
): AwsResponse {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json', 'X-Amz-Executed-Version': version, ...headers },
    body: JSON.stringify(payload ?? null),
  };
}
