import { AsyncLocalStorage } from 'node:async_hooks';
import { format } from 'node:util';

/** What is logged below, as Lambda's runtime for Node.js has it where the log format is JSON. */

/** Lambda's levels, the least first. Each has a method of the console by its name. */
const levels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const;
type Level = (typeof levels)[number];

/** The request id of the invocation that runs; several run in one environment. */
const requestIds = new AsyncLocalStorage<string>();

/** Runs an invocation, whose log lines bear its request id. */
export function logAs<Result>(requestId: string, run: () => Result): Result {
  return requestIds.run(requestId, run);
}

/** Has the console write lines of JSON, but nothing below a level. */
export function patchConsole(least = 'TRACE'): void {
  const methods = levels.map((level, i) => {
    const isLogged = i >= levels.indexOf(least as Level);
    const method = (...values: unknown[]) => void process.stdout.write(`${logLine(level, values)}\n`);
    return [level.toLowerCase(), isLogged ? method : () => {}] as const;
  });
  Object.assign(console, Object.fromEntries(methods));
  console.log = console.info;
}

/** A single value is the message, as JSON; several are formatted as Node's console does, and the first error stands apart. */
export function logLine(level: Level, [message, ...values]: readonly unknown[]): string {
  const head = { timestamp: new Date().toISOString(), level, requestId: requestIds.getStore() ?? '-' };
  if (values.length === 0) return singleValue(head, message);
  const error = values.find((value) => value instanceof Error);
  return JSON.stringify({ ...head, message: format(message, ...values), ...(error && asObject(error)) });
}

function singleValue(head: object, message: unknown): string {
  try {
    return JSON.stringify({ ...head, message }, (_, value) =>
      value instanceof Error ? { ...asObject(value), ...value } : value,
    );
  } catch {
    return JSON.stringify({ ...head, message: format(message) }); // it cannot be JSON
  }
}

/** An error as it stands in a log. */
export function asObject(error: Error): object {
  return {
    errorType: error.constructor?.name ?? 'UnknownError',
    errorMessage: error.message,
    stackTrace: typeof error.stack === 'string' ? error.stack.split('\n') : [],
  };
}

/** What the platform, not the runtime, tells of an invocation that has ended. */
export interface Report {
  readonly requestId: string;
  readonly status: 'success' | 'error' | 'failure' | 'timeout';
  readonly errorType?: string;
  readonly metrics: { readonly durationMs: number; readonly memorySizeMB: number };
}

export function reportLine(record: Report): string {
  return JSON.stringify({ time: new Date().toISOString(), type: 'platform.report', record });
}
