import { parentPort } from 'node:worker_threads';
// The first start runs these commands, so the thread loads them while the service starts.
import './commands/access.ts';
import './commands/credentials.ts';
import { main } from './main.ts';
import type { Terminal } from './terminal.ts';

export interface CommandCall {
  readonly parameters: readonly string[];
  readonly input: string;
}

export interface CommandResult {
  readonly code: number;
  /** Standard output. */
  readonly output: string;
  /** Standard error. */
  readonly errors: string;
}

parentPort?.on('message', async ({ parameters, input }: CommandCall) => {
  let output = '';
  let errors = '';
  const terminal: Terminal = {
    isOutputTerminal: false,
    canAsk: false,
    columns: undefined,
    print: (text) => {
      output += text;
    },
    printError: (text) => {
      errors += text;
    },
    ask: async () => false,
    askSecret: async () => undefined, // @extension cli
    showProgress: () => () => {},
    readInput: async () => input,
    heading: (text) => text,
  };
  const code = await main(parameters, terminal);
  parentPort?.postMessage({ code, output, errors } satisfies CommandResult);
});
