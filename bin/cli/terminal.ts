import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { styleText } from 'node:util';

/** The standard streams of a command. */
export interface Terminal {
  /** True if standard output is a terminal instead of a file or a pipe. */
  readonly isOutputTerminal: boolean;
  /** True if standard input and standard error are terminals, so that the command can ask a question. */
  readonly canAsk: boolean;
  /** The maximum number of characters in a line of help. */
  readonly columns: number;
  /** Writes to standard output. */
  readonly print: (text: string) => void;
  /** Writes to standard error. */
  readonly printError: (text: string) => void;
  /** Asks a question on standard error. Resolves to true if the operator types y or yes. */
  readonly ask: (question: string) => Promise<boolean>;
  /** Reads standard input to its end. */
  readonly readInput: () => Promise<string>;
  /** Returns a heading for standard output, in bold if the output is a terminal with colors. */
  readonly heading: (text: string) => string;
}

/** Returns the terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  // The reader of a pipe, such as `head`, may end before the command does.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    isOutputTerminal: stdout.isTTY === true,
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    columns: Math.min(stdout.columns ?? 100, 100),
    print: (output) => void stdout.write(output),
    printError: (output) => void stderr.write(output),
    ask: async (question) => {
      const lines = createInterface({ input: stdin, output: stderr });
      try {
        return /^y(es)?$/i.test((await lines.question(`${question} (y/N) `)).trim());
      } catch {
        return false; // Ctrl-C or Ctrl-D
      } finally {
        lines.close();
      }
    },
    readInput: () => text(stdin),
    // styleText respects NO_COLOR and FORCE_COLOR.
    heading: (output) => styleText('bold', output, { stream: stdout }),
  };
}
