import { AsyncLocalStorage } from 'node:async_hooks';
import { format } from 'node:util';
import type { Invocation, LoggedLine } from './worker-messages.ts';

/** From lowest to highest. */
const levels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const;
type Level = (typeof levels)[number];

/** Several invocations can run concurrently in one worker. */
const invocations = new AsyncLocalStorage<Pick<Invocation, 'id' | 'requestId'>>();

export function logAs<Result>(invocation: Pick<Invocation, 'id' | 'requestId'>, run: () => Result): Result {
  return invocations.run(invocation, run);
}

/** Makes the console write JSON lines, as Lambda's Node.js runtime does. Drops lines below the minimum level. */
export function patchConsole(write: (logged: LoggedLine) => void, minimum = 'TRACE'): void {
  const methods = levels.map((level, i) => {
    const isLogged = i >= levels.indexOf(minimum as Level);
    const method = (...values: unknown[]) =>
      write({ id: invocations.getStore()?.id, line: logLine(level, values) });
    return [level.toLowerCase(), isLogged ? method : () => {}] as const;
  });
  Object.assign(console, Object.fromEntries(methods));
  console.log = console.info;
}

/**
 * A single value becomes the message, as JSON. Several values are formatted as in Node's console, and the first error after the
 * first value adds its fields to the line.
 *
 * @param now milliseconds since 1970
 */
export function logLine(level: Level, [message, ...values]: readonly unknown[], now = Date.now()): string {
  const head = {
    timestamp: new Date(now).toISOString(),
    level,
    requestId: invocations.getStore()?.requestId ?? '-',
  };
  if (values.length === 0) return singleValue(head, message);
  const error = values.find((value) => value instanceof Error);
  return JSON.stringify({ ...head, message: format(message, ...values), ...(error && errorRecord(error)) });
}

function singleValue(head: object, message: unknown): string {
  try {
    return JSON.stringify({ ...head, message }, (_, value) =>
      value instanceof Error ? { ...errorRecord(value), ...value } : value,
    );
  } catch {
    // The value cannot be converted to JSON, for example because it is circular.
    return JSON.stringify({ ...head, message: format(message) });
  }
}

function errorRecord(error: Error): object {
  return {
    errorType: error.constructor?.name ?? 'UnknownError',
    errorMessage: error.message,
    stackTrace: typeof error.stack === 'string' ? error.stack.split('\n') : [],
  };
}

/** The record in a `platform.report` line, which the Lambda platform writes after each invocation. */
export interface Report {
  readonly requestId: string;
  readonly status: 'success' | 'error' | 'failure' | 'timeout';
  readonly errorType?: string;
  readonly metrics: { readonly durationMs: number; readonly memorySizeMB: number };
}

/** @param now milliseconds since 1970 */
export function reportLine(record: Report, now: number): string {
  return JSON.stringify({ time: new Date(now).toISOString(), type: 'platform.report', record });
}
