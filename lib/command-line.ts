import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { suggestionFor } from './suggestion.ts';

/** The message is one sentence or two. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

/**
 * Does the same as `parseArgs`, and also refuses an option that has two values although it is not `multiple`.
 *
 * @throws CommandLineError if the command line is incorrect
 */
export function parseCommandLine<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  allowPositionals = false,
) {
  const { tokens, ...parsed } = parsedTokens(args, options, allowPositionals);
  const named = tokens.flatMap((token) =>
    token.kind === 'option' && token.value !== undefined ? [token.name] : [],
  );
  const repeated = named.find((name, i) => !options[name]?.multiple && named.indexOf(name) < i);
  if (repeated !== undefined) throw new CommandLineError(`Use the option "--${repeated}" only once.`);
  return parsed;
}

function parsedTokens<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  allowPositionals: boolean,
) {
  try {
    return parseArgs({ args, options, allowPositionals, tokens: true });
  } catch (error) {
    throw new CommandLineError(problemOf(error as Error, Object.keys(options)));
  }
}

/** For an unknown option, names the option, and suggests a similar one if there is any. */
function problemOf({ message }: Error, options: readonly string[]): string {
  const [, option] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
  if (option === undefined) return `${message.split('. ')[0]?.replace(/\.$/, '')}.`;
  const flags = options.map((name) => `--${name}`);
  return `Unknown option "${option}".${suggestionFor(option, flags)}`;
}

/**
 * Reads the command line of an npm script. Ends the process if the command line asks for help (exit code 0) or is incorrect (exit
 * code 2).
 *
 * @param usage the help, which begins with the command
 */
export function readCommandLine<const Options extends ParseArgsOptionsConfig>(
  usage: string,
  options: Options,
  allowPositionals = false,
) {
  // The help of an incorrect command line is more useful than its problem.
  showHelp(usage);
  try {
    return parseCommandLine(
      process.argv.slice(2),
      { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals,
    );
  } catch (error) {
    if (!(error instanceof CommandLineError)) throw error;
    const [command] = /^npm run [\w:]+(?: --prefix \w+)?/.exec(usage) ?? [];
    fail(`${error.message} Run ${command} -- --help for the usage.`);
  }
}

/** Prints the help and ends the process if the command line asks for it. */
export function showHelp(usage: string): void {
  if (!process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return;
  console.log(usage);
  process.exit();
}

/** Ends the process with the exit code of an incorrect command line. */
export function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
