import { existsSync } from 'node:fs';
import { createRequire, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { logAs, patchConsole } from './log-format.ts';
import type { Initialized, Invocation, InvocationResult, LoggedLine, WorkerData } from './worker-messages.ts';

type Handler = (event: unknown, context: object) => unknown;

const { name, arn, directory, handler, memoryMegabytes, clockOffset } = workerData as WorkerData;

/** The system clock, so that a test that sets the clock forward does not use up an invocation's remaining time. */
const { now } = Date;

/** If the handler cannot be loaded, the error ends this worker. */
async function load(): Promise<Handler> {
  const [module = '', exported = ''] = handler.split('.');
  const path = join(directory, module);
  const loaded = existsSync(`${path}.mjs`)
    ? (await import(pathToFileURL(`${path}.mjs`).href))[exported]
    : createRequire(import.meta.url)(`${path}.cjs`)[exported];
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
    getRemainingTimeInMillis: () => Math.max(0, deadline - now()),
  };
  try {
    const result = await run(JSON.parse(event), context);
    // JSON cannot represent `undefined`, functions or symbols.
    return { id, result: JSON.stringify(result) ?? 'null' };
  } catch (error) {
    const thrown = error instanceof Error ? error : new Error(String(error));
    const { name: errorType, message } = thrown;
    console.error(thrown);
    return { id, errorType, message };
  }
}

let isCompiled = false;

/** Writes the compile cache after the first invocation, because a terminated thread does not write it. */
function keepCompiled(): void {
  if (!isCompiled) flushCompileCache();
  isCompiled = true;
}

// Leaves the function only its own environment variables.
delete process.env.NODE_COMPILE_CACHE;
if (clockOffset) {
  const { shiftDate } = await import('../platform/shifted-date.ts');
  shiftDate(clockOffset);
}
// Logs through messages, because they arrive before the invocation's result. Standard output can arrive after it.
patchConsole(
  (logged) => parentPort?.postMessage(logged satisfies LoggedLine),
  process.env.AWS_LAMBDA_LOG_LEVEL,
);
const run = await load();
parentPort?.postMessage('initialized' satisfies Initialized);
parentPort?.on('message', async (invocation: Invocation) => {
  parentPort?.postMessage(await logAs(invocation, () => complete(run, invocation)));
  keepCompiled();
});
