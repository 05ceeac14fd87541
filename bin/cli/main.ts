import { bypassProxy } from '@rest-actions/local-cloud/platform';
import { CommanderError } from 'commander';
import { printable, printableLines } from '../printable.ts';
import type { Command } from './command.ts';
import { messageOf } from './error-message.ts';
import { CommandFailed, UsageError } from './errors.ts';
import type { Options } from './options.ts';
import { asJson, asText, masked } from './output.ts';
import { createProgram, noticeOf } from './program.ts';
import { processTerminal, type Terminal } from './terminal.ts';

const success = 0;
const failure = 1;
const wrongUsage = 2;

/**
 * @param args the arguments after the program's name
 * @returns the exit code: 0 for success, 1 for a failure, 2 for an incorrect command line
 */
export async function main(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  bypassProxy();
  let code = success;
  const printLine = (line: string) => terminal.printError(`${printableLines(line)}\n`);
  const fail = (line: string) => {
    printLine(line);
    code = failure;
  };
  const program = createProgram(terminal, (command, options, values) =>
    execute(command, { options, values, fail, notice: printLine }, terminal),
  );
  const { log } = console;
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? success : wrongUsage;
    printLine(messageOf(error as Error));
    return error instanceof UsageError ? wrongUsage : failure;
  } finally {
    console.log = log;
  }
  return code;
}

interface Call {
  readonly options: Options;
  readonly values: readonly string[];
  readonly fail: (line: string) => void;
  readonly notice: (line: string) => void;
}

async function execute(command: Command, call: Call, terminal: Terminal): Promise<void> {
  const { options, values, fail, notice } = call;
  const mayReveal = options.reveal === true || (command.createsSecret === true && terminal.isOutputTerminal);
  if (command.createsSecret && !mayReveal)
    throw new UsageError(
      'The command prints a secret, and standard output is not a terminal. Add --reveal to print the secret anyway.',
    );
  const replaced = noticeOf(command);
  if (replaced && !options.json) notice(replaced);
  await confirm(command, options, values, terminal);
  const print = (text: string) => terminal.print(printableLines(text));
  const context = { ...terminal, options, print, notice, fail };
  const run = await command.load();
  const result = await run(context, ...values);
  if (result === undefined) return;
  const shown = mayReveal ? result : masked(result, command);
  const { heading, columns = Number.POSITIVE_INFINITY } = terminal;
  terminal.print(
    options.json ? asJson(shown) : asText(shown, command, { heading, columns, now: Date.now() }),
  );
  if (command.createsSecret && !options.json) notice('Store the secret now. It will not be shown again.');
}

/**
 * Asks the command's question, if it has one, unless `--yes` is set.
 *
 * @throws UsageError if there is no terminal to ask on
 * @throws CommandFailed if the user declines
 */
async function confirm(
  { question }: Command,
  options: Options,
  values: readonly string[],
  { canAsk, ask }: Terminal,
): Promise<void> {
  const consequence = options.yes ? undefined : question?.(options, ...values);
  if (consequence === undefined) return;
  if (!canAsk)
    throw new UsageError(
      `${consequence} Add --yes to confirm, because the command cannot ask without a terminal.`,
    );
  if (!(await ask(printable(`${consequence} Continue?`)))) throw new CommandFailed('Nothing was changed.');
}
