import { parentPort } from 'node:worker_threads';
// The first start runs this command. The thread loads it while the service starts.
import './commands/access.ts';
import { main } from './main.ts';
import type { Terminal } from './terminal.ts';

/** The result of a command that ran in a thread. */
export interface CommandResult {
  readonly code: number;
  /** The text that the command wrote to standard output. */
  readonly output: string;
  /** The text that the command wrote to standard error. */
  readonly errors: string;
}

// This thread runs a command for each message, which contains the arguments of the command.
parentPort?.on('message', async (args: readonly string[]) => {
  let output = '';
  let errors = '';
  const terminal: Terminal = {
    isOutputTerminal: false,
    canAsk: false,
    columns: 100,
    print: (text) => {
      output += text;
    },
    printError: (text) => {
      errors += text;
    },
    ask: async () => false,
    readInput: async () => '',
    heading: (text) => text,
  };
  const code = await main(args, terminal);
  parentPort?.postMessage({ code, output, errors } satisfies CommandResult);
});
