import type { ParseArgsOptionsConfig } from 'node:util';
import { CommandLineError, parseCommandLine } from '../lib/command-line.ts';

const help = { help: { type: 'boolean', short: 'h' } } as const;

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
  const args = process.argv.slice(2);
  // The help of an incorrect command line is more useful than its problem.
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage);
    process.exit();
  }
  try {
    return parseCommandLine(args, { ...options, ...help }, allowPositionals);
  } catch (error) {
    if (!(error instanceof CommandLineError)) throw error;
    const [command] = /^npm run [\w:]+/.exec(usage) ?? [];
    fail(`${error.message} Run ${command} -- --help for the usage.`);
  }
}

/** Ends the process with the exit code of an incorrect command line. */
export function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
