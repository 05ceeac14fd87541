import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream'; // @extension cli
import { text } from 'node:stream/consumers';
import { styleText } from 'node:util';
import { wrapWords } from './output.ts';

export interface Terminal {
  /** False if standard output is a file or a pipe. */
  readonly isOutputTerminal: boolean;
  /** True if standard input and standard error are terminals. */
  readonly canAsk: boolean;
  /** Undefined if standard output is a file or a pipe. */
  readonly columns: number | undefined;
  /** Writes to standard output. */
  readonly print: (text: string) => void;
  /** Writes to standard error. */
  readonly printError: (text: string) => void;
  /** Asks on standard error. Resolves to true if the answer is y or yes. */
  readonly ask: (question: string) => Promise<boolean>;
  // @extension cli {
  /**
   * Asks on standard error, without showing what is typed. Resolves to undefined without a terminal, or if the person declines.
   */
  readonly askSecret: (question: string) => Promise<string | undefined>;
  // @extension cli }
  /** Shows text and the elapsed seconds on standard error, if it is a terminal. @returns a function that removes the line */
  readonly showProgress: (text: string) => () => void;
  readonly readInput: () => Promise<string>;
  /** Makes a heading bold if standard output is a terminal with colors. */
  readonly heading: (text: string) => string;
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  // The reader of a pipe, such as `head`, may end before the command does.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const canAsk = stdin.isTTY === true && stderr.isTTY === true;
  return {
    isOutputTerminal: stdout.isTTY === true,
    canAsk,
    // Some terminals state a width of 0.
    columns: (stdout.isTTY && stdout.columns) || undefined,
    print: (output) => void stdout.write(output),
    printError: (output) =>
      void stderr.write(stderr.isTTY ? wrapWords(output, stderr.columns || 80) : output),
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
    askSecret: async (question) => (canAsk ? readSecret(question) : undefined), // @extension cli
    showProgress: (message) => {
      if (!stderr.isTTY) return () => {};
      const start = performance.now();
      const draw = () => {
        const seconds = Math.floor((performance.now() - start) / 1000);
        stderr.write(`${clearLine}${message} … ${seconds} s`);
      };
      draw();
      const timer = setInterval(draw, 1000);
      return () => {
        clearInterval(timer);
        stderr.write(clearLine);
      };
    },
    readInput: () => {
      if (stdin.isTTY) stderr.write('Enter the input, and end it with Ctrl-D.\n');
      return text(stdin);
    },
    // styleText respects NO_COLOR and FORCE_COLOR.
    heading: (output) => styleText('bold', output, { stream: stdout }),
  };
}

const clearLine = '\r\u001b[K';

// @extension cli {
/** Resolves to undefined after Ctrl-C or Ctrl-D. */
async function readSecret(question: string): Promise<string | undefined> {
  const { stdin, stderr } = process;
  stderr.write(question);
  const output = new Writable({ write: (_, __, done) => done() });
  const lines = createInterface({ input: stdin, output, terminal: true });
  try {
    return await lines.question('');
  } catch {
    return undefined;
  } finally {
    lines.close();
    stderr.write('\n');
  }
}
// @extension cli }
