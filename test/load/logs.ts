import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The fields of a log line that the tests read. */
interface Line {
  readonly message?: { readonly event?: string; readonly bark?: string };
  readonly record?: { readonly status?: string; readonly errorType?: string };
}

function linesOf(directory: string, mark: string): { line: Line; name: string }[] {
  const logs = join(directory, 'logs');
  return readdirSync(logs).flatMap((name) =>
    readFileSync(join(logs, name), 'utf8')
      .split('\n')
      // A process that was killed may have left half a line.
      .filter((line) => line.includes(mark) && line.endsWith('}'))
      .map((line) => ({ line: JSON.parse(line), name })),
  );
}

/** Returns the IDs of the barks for which this event was logged. */
export function barksIn(directory: string, event: string): ReadonlySet<string> {
  return new Set(
    linesOf(directory, event).flatMap(({ line: { message } }) =>
      message?.event === event && message.bark ? [message.bark] : [],
    ),
  );
}

/** Returns the invocations that crashed or timed out. */
export function crashesIn(directory: string): string[] {
  return linesOf(directory, 'platform.report').flatMap(({ line: { record }, name }) =>
    record?.status === 'failure' || record?.status === 'timeout'
      ? [`${name}: ${record.status} ${record.errorType ?? ''}`]
      : [],
  );
}
