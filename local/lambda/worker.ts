import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { Invocation, InvocationResult } from './local-function.ts';
import { logAs, patchConsole } from './log-format.ts';

type Handler = (event: unknown, context: object) => unknown;

const { name, arn, directory, handler, memoryMegabytes } = workerData as {
  readonly name: string;
  readonly arn: string;
  readonly directory: string;
  readonly handler: string;
  readonly memoryMegabytes: number;
};

/** Loads the handler as Lambda's runtime does; a bundle that cannot be loaded ends this environment. */
function load(): Handler {
  const [module = '', exported = ''] = handler.split('.');
  const loaded = createRequire(import.meta.url)(join(directory, `${module}.cjs`))[exported];
  if (typeof loaded !== 'function') throw new Error(`Runtime.HandlerNotFound: ${handler} is not a function`);
  return loaded;
}

async function complete(
  run: Handler,
  { id, requestId, event, deadline }: Invocation,
): Promise<InvocationResult> {
  const context = {
    awsRequestId: requestId,
    functionName: name,
    functionVersion: '$LATEST',
    memoryLimitInMB: String(memoryMegabytes),
    invokedFunctionArn: arn,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
  try {
    // What a function answers goes over the wire as JSON.
    const result = JSON.parse(JSON.stringify((await run(event, context)) ?? null));
    return { id, result };
  } catch (error) {
    const thrown = error instanceof Error ? error : new Error(String(error));
    const { name: errorType, message } = thrown;
    console.error(thrown);
    return { id, errorType, message };
  }
}

patchConsole(process.env.AWS_LAMBDA_LOG_LEVEL);
const run = load();
parentPort?.on('message', async (invocation: Invocation) => {
  parentPort?.postMessage(await logAs(invocation.requestId, () => complete(run, invocation)));
});
