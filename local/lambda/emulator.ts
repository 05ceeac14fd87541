import type { AwsCall, Emulator } from '../endpoint/emulator.ts';
import { type AwsResponse, jsonError } from '../endpoint/response.ts';
import type { EntryPoint, Template } from '../template/template.ts';
import type { AsyncInvocations, Invoke } from './async-invocations.ts';
import { FunctionError, TooManyRequestsException } from './errors.ts';

/**
 * The emulator of Lambda's API. It supports synchronous and asynchronous invocations, and dry runs. As in AWS, callers
 * identify a function or an alias by its name (`<function>` or `<function>:<alias>`), its ARN, or its partial ARN
 * (`<account>:function:<name>`).
 */
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

  /** Serves the functions and the aliases of a template from now on. */
  deploy(template: Template): void {
    this.entryPoints = template.entryPoints;
  }

  readonly serve: Emulator = async (call) => {
    const [, name] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(call.path) ?? [];
    if (call.method !== 'POST' || name === undefined)
      return jsonError(
        404,
        'UnknownOperationException',
        'The local cloud supports only the Lambda operation Invoke.',
      );
    const entryPoint = this.find(decodeURIComponent(name));
    if (!entryPoint)
      return jsonError(404, 'ResourceNotFoundException', `Function not found: ${decodeURIComponent(name)}`);
    try {
      return await this.run(entryPoint, call.headers['x-amz-invocation-type'], payloadOf(call));
    } catch (error) {
      if (error instanceof SyntaxError)
        return jsonError(
          400,
          'InvalidRequestContentException',
          `Could not parse request body: ${error.message}`,
        );
      throw error;
    }
  };

  private async run(entryPoint: EntryPoint, type: string | undefined, event: unknown): Promise<AwsResponse> {
    if (type === 'DryRun') return { status: 204, headers: {}, body: '' };
    if (type !== 'Event') return this.invokeSynchronously(entryPoint, event);
    this.invocations.put(entryPoint.arn, event);
    return { status: 202, headers: {}, body: '' };
  }

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
    const suffix = name.includes(':function:') ? `:${name}` : `:function:${name}`;
    return this.entryPoints.find(({ arn }) => `:${arn}`.endsWith(suffix));
  }
}

/**
 * Returns the event of an invocation, which is an empty object if the call has no payload.
 *
 * @throws SyntaxError if the payload is not JSON
 */
function payloadOf({ body }: AwsCall): unknown {
  return body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
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
