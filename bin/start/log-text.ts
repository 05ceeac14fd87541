import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import type { LogActivity } from '@rest-actions/local-cloud/platform';
import { parseJson } from '@rest-actions/local-cloud/platform';

export interface LogText {
  readonly level: string;
  readonly isError: boolean;
  readonly text: string;
  /** True for logs of normal operation: structured lines below the level WARN, and refused credentials. */
  readonly isRoutine: boolean;
}

export type Log = LogActivity & LogText;

interface LogRecord {
  readonly level: string;
  /** Absent in a line that a logger such as Powertools formatted itself. */
  readonly requestId?: string;
  readonly message: unknown;
}

interface LoggedError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly stackTrace: readonly string[];
}

/** @param logged a record in the log file */
export function logTextOf(logged: string): LogText {
  const record = parseJson(logged) as LogRecord | undefined;
  // Output without a level did not pass through the function's console.
  if (typeof record?.level !== 'string')
    return { level: 'INFO', isError: false, text: logged, isRoutine: false };
  const { level, message, requestId } = record;
  const { event, errorMessage } = (message ?? {}) as { event?: unknown; errorMessage?: unknown };
  const isStructured = requestId === undefined || typeof event === 'string';
  // With this message, an authorizer makes API Gateway respond with 401.
  const isRefusal = errorMessage === 'Unauthorized';
  return {
    level,
    isError: level === 'ERROR' || level === 'FATAL',
    text: textOf(message),
    isRoutine: isRefusal || (isStructured && !['WARN', 'ERROR', 'FATAL'].includes(level)),
  };
}

/** Returns a message with the stack traces of its errors after its other fields. */
function textOf(message: unknown): string {
  if (typeof message === 'string') return message;
  const stacks: string[] = [];
  const fields = JSON.parse(JSON.stringify(message ?? null), (_, value) => {
    if (!Array.isArray(value?.stackTrace)) return value;
    const { errorType, errorMessage, stackTrace } = value as LoggedError;
    // The callback visits the cause before the error.
    stacks.unshift(stackTrace.join('\n') || `${errorType}: ${errorMessage}`);
    return undefined;
  });
  const causes = stacks.join('\nCaused by: ');
  return fields === undefined
    ? causes
    : [inspect(fields, { depth: null, breakLength: 120, compact: 9 }), ...(causes && [causes])].join('\n');
}

/** The file can be a path or a URL. Its folders can have any name. */
const frame = /^ {4}at (?:.*? \()??((?:file:\/\/)?(?:\/|[A-Z]:\\).*?):(\d+):(\d+)\)?$/;

/** Matches the frames of Node and of the Lambda emulator, which calls the handler. */
const foreignFrame = /^ {4}at .*(node:|[\\/]local[\\/]lambda[\\/][\w-]+\.ts|\[nodejs)/;

/**
 * Returns the lines without the stack trace frames that do not belong to the function.
 *
 * @param sourcePosition returns the position to show instead of a position in a file, or undefined to leave the frame unchanged
 */
export function linesOfLog(
  text: string,
  sourcePosition: (file: string, line: number, column: number) => string | undefined,
): string[] {
  const lines = text.split('\n').filter((line) => !foreignFrame.test(line));
  return lines.map((whole) => {
    const [, file, line, column] = frame.exec(whole) ?? [];
    const path = file && pathOf(file);
    const position = path && sourcePosition(path, Number(line), Number(column));
    return position ? `    at ${position}` : whole;
  });
}

/** Returns undefined if the file is an invalid URL. A function can print any text. */
function pathOf(file: string): string | undefined {
  try {
    return file.startsWith('file:') ? fileURLToPath(file) : file;
  } catch {
    return undefined;
  }
}
