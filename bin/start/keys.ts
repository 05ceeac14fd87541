import { execFileSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface Key {
  readonly key: string;
  readonly help: string;
  /** What the key does, as the end of a sentence in the banner. Absent if only the help lists the key. */
  readonly hint?: string;
  readonly run: (print: Print) => void;
}

type Print = (text: string) => void;

const helpKey = { key: 'h', help: 'show this help', hint: 'for the other keys' };

/** Returns the keys that the banner names, each with what it does. */
export function hintsOf(keys: readonly Key[]): string[] {
  return [...keys, helpKey].flatMap(({ key, hint }) => (hint ? [`${key} + Enter ${hint}`] : []));
}

/**
 * Runs the action for each key that the user types. Each key requires Enter, because the terminal stays in its normal mode, in
 * which Ctrl-C and Ctrl-Z work as usual. Does not read while this process runs in the background, because the system stops a
 * background process that reads from the terminal.
 *
 * @param onLine is called for each typed line
 */
export function listenToKeys(
  input: Readable,
  keys: readonly Key[],
  { print, onLine, isForeground = isInForeground }: KeyOptions,
): void {
  const lines = createInterface({ input });
  const help = [...keys, helpKey].map(({ key, help }) => `  ${key} + Enter  ${help}`);
  lines.on('line', (line) => {
    onLine();
    const typed = line.trim().toLowerCase();
    if (typed === helpKey.key) print(help.join('\n'));
    keys.find(({ key }) => key === typed)?.run(print);
  });
  const update = () => (isForeground() ? lines.resume() : lines.pause());
  update();
  // The shell sends this signal when it continues the process in the foreground or in the background.
  process.on('SIGCONT', update);
  lines.once('close', () => process.off('SIGCONT', update));
}

interface KeyOptions {
  readonly print: Print;
  readonly onLine: () => void;
  readonly isForeground?: () => boolean;
}

function isInForeground(): boolean {
  try {
    const parameters = ['-o', 'pgid=,tpgid=', '-p', String(process.pid)];
    const [group, foreground] = execFileSync('ps', parameters, { encoding: 'utf8' }).trim().split(/\s+/);
    return group === foreground;
  } catch {
    // Windows has no `ps`, and no process groups.
    return true;
  }
}
