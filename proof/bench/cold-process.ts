import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ProcessorLimit } from './processor-limit.ts';

export interface ColdFunction {
  /** The path of the module that Lambda loads. */
  readonly module: string;
  readonly event: object;
  readonly environment: Readonly<Record<string, string>>;
}

/** All durations are in milliseconds. */
export interface ColdStart {
  /** From the start of the process until the function can be called. */
  readonly initialization: number;
  readonly firstCall: number;
  /** In call order. */
  readonly laterCalls: readonly number[];
  /** The response to the first call. */
  readonly response: unknown;
}

const program = join(import.meta.dirname, 'call.cjs');

/**
 * Loads a function in a new process, and calls it `1 + laterCalls` times.
 *
 * @param limit restricts the calls, but not the initialization, to the processor time that Lambda gives a function with `memory`
 *   MB. By default, there is no restriction
 * @throws Error if the function cannot be loaded, or if a call fails
 */
export async function coldStart(
  { module, event, environment }: ColdFunction,
  {
    limit,
    memory = Number(environment.AWS_LAMBDA_FUNCTION_MEMORY_SIZE),
    laterCalls = 0,
  }: { readonly limit?: ProcessorLimit; readonly memory?: number; readonly laterCalls?: number } = {},
): Promise<ColdStart> {
  limit?.remove();
  const began = performance.now();
  const child = fork(program, [module], {
    env: { ...environment, AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memory) },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const failure = once(child, 'exit').then(() => {
    throw new Error(`${module} ended: ${errors}`);
  });
  const message = async () => (await Promise.race([once(child, 'message'), failure]))[0];
  try {
    limit?.add(child.pid ?? 0);
    await message();
    const initialization = performance.now() - began;
    limit?.setMemory(memory);
    const call = async (): Promise<{ duration: number; response: unknown }> => {
      child.send(JSON.stringify(event));
      return message();
    };
    const first = await call();
    const later: number[] = [];
    for (let n = 0; n < laterCalls; n++) later.push((await call()).duration);
    return { initialization, firstCall: first.duration, laterCalls: later, response: first.response };
  } finally {
    failure.catch(() => {});
    limit?.remove();
    child.kill('SIGKILL');
    await failure.catch(() => {});
  }
}
