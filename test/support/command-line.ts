import { main } from '../../bin/cli/main.ts';

/** How the terminal of a command behaves. */
export interface TerminalOptions {
  /** The standard input. */
  readonly input?: string;
  /** True if standard output is a terminal. */
  readonly isOutputTerminal?: boolean;
  /** True if the operator confirms each question; undefined if there is no terminal. */
  readonly confirms?: boolean;
}

/** What a command printed and asked, and its exit code. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly questions: readonly string[];
}

/** Runs a command of the command line in this process. */
export async function runInProcess(
  args: readonly string[],
  { input = '', isOutputTerminal = false, confirms }: TerminalOptions = {},
): Promise<CommandResult> {
  const printed = { stdout: '', stderr: '' };
  const questions: string[] = [];
  const code = await main(args, {
    isOutputTerminal,
    canAsk: confirms !== undefined,
    columns: 100,
    print: (text) => {
      printed.stdout += text;
    },
    printError: (text) => {
      printed.stderr += text;
    },
    ask: async (question) => {
      questions.push(question);
      return confirms === true;
    },
    readInput: async () => input,
    heading: (text) => text,
  });
  return { code, ...printed, questions };
}
