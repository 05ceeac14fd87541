import { execFileSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface Key {
  readonly key: string;
  readonly help: string;
  readonly run: () => void;
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
  const help = [...keys, { key: 'h', help: 'show this help' }].map(
    ({ key, help }) => `  ${key} + Enter  ${help}`,
  );
  lines.on('line', (line) => {
    onLine();
    const typed = line.trim().toLowerCase();
    if (typed === 'h') print(help.join('\n'));
    keys.find(({ key }) => key === typed)?.run();
  });
  const update = () => (isForeground() ? lines.resume() : lines.pause());
  update();
  // The shell sends this signal when it continues the process in the foreground or in the background.
  process.on('SIGCONT', update);
  lines.once('close', () => process.off('SIGCONT', update));
}

interface KeyOptions {
  readonly print: (text: string) => void;
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
