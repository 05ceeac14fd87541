import { main } from '../../bin/cli/main.ts';

export interface TerminalOptions {
  readonly input?: string;
  readonly isOutputTerminal?: boolean;
  readonly columns?: number;
  // @extension cli {
  /** What a person types if a command asks for a secret; undefined if there is no terminal. */
  readonly secret?: string;
  // @extension cli }
  /** True if the operator confirms each question; undefined if there is no terminal. */
  readonly confirms?: boolean;
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The questions that the command asked, and what it showed while it waited. */
  readonly questions: readonly string[];
  readonly progress: readonly string[];
}

/** Runs a command of the command line in this process. */
export async function runInProcess(
  args: readonly string[],
  terminal: TerminalOptions = {},
): Promise<CommandResult> {
  const { input = '', isOutputTerminal = false, columns, confirms } = terminal;
  const printed = { stdout: '', stderr: '' };
  const questions: string[] = [];
  const progress: string[] = [];
  let isWaiting = false;
  const code = await main(args, {
    isOutputTerminal,
    canAsk: confirms !== undefined,
    columns,
    print: (text) => {
      printed.stdout += text;
    },
    printError: (text) => {
      if (isWaiting) throw new Error(`The text would follow the line of the progress: ${text}`);
      printed.stderr += text;
    },
    ask: async (question) => {
      questions.push(question);
      return confirms === true;
    },
    // @extension cli {
    askSecret: async (question) => {
      questions.push(question);
      return terminal.secret;
    },
    // @extension cli }
    showProgress: (text) => {
      progress.push(text);
      isWaiting = true;
      return () => {
        isWaiting = false;
      };
    },
    readInput: async () => input,
    heading: (text) => text,
  });
  return { code, ...printed, questions, progress };
}

/**
 * Runs commands one after another with `--json`. Returns what each printed, with names instead of the values that are new in each
 * run: equal secrets have the same name.
 */
export async function sessionOf(
  run: (args: string) => Promise<CommandResult>,
  ...commands: readonly string[]
): Promise<string> {
  const lines: string[] = [];
  for (const args of commands) {
    const { code, stdout, stderr } = await run(`${args} --json`);
    const result = stdout && JSON.stringify(JSON.parse(stdout));
    lines.push(`$ dogs ${args}`, result, stderr.trim(), code === 0 ? '' : `exit code ${code}`);
  }
  const secrets: string[] = [];
  return lines
    .filter(Boolean)
    .join('\n')
    .replace(/[\w-]{43,}/g, (secret) => {
      if (!secrets.includes(secret)) secrets.push(secret);
      return `<secret ${secrets.indexOf(secret) + 1}>`;
    })
    .replace(/\b1[789]\d{8}\b/g, '<time>');
}
