import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A line of what the functions logged, as far as it matters here. */
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

/** The ids of the barks of which such an event was logged. */
export function barksIn(directory: string, event: string): ReadonlySet<string> {
  return new Set(
    linesOf(directory, event).flatMap(({ line: { message } }) =>
      message?.event === event && message.bark ? [message.bark] : [],
    ),
  );
}

/** The functions that did not end by themselves: that died, or ran out of time. */
export function crashesIn(directory: string): string[] {
  return linesOf(directory, 'platform.report').flatMap(({ line: { record }, name }) =>
    record?.status === 'failure' || record?.status === 'timeout'
      ? [`${name}: ${record.status} ${record.errorType ?? ''}`]
      : [],
  );
}
