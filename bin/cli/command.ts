import type { OptionName, Options } from './options.ts';
import type { Format, Result } from './output.ts';
import type { Terminal } from './terminal.ts';

/** What a command uses apart from its arguments. `print` prints part of the result before the command ends. */
export interface CommandContext extends Terminal {
  readonly options: Options;
  /** Prints to standard error a line that is not part of the result. */
  readonly notice: (line: string) => void;
  /** Prints a line to standard error, and sets the exit code to 1. The command still prints its result. */
  readonly fail: (line: string) => void;
}

/** Takes the command's arguments in order. Returns undefined if the command has printed its result itself. */
export type Run<Context = CommandContext> = (
  context: Context,
  ...values: string[]
) => Promise<Result | undefined>;

/** What the help and the output of a command consist of. */
export interface CommandHelp extends Format {
  readonly summary: string;
  readonly details?: string;
  /** The arguments in order, with their descriptions. An argument in brackets is optional. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly options?: readonly OptionName[];
  /** The arguments and options of an example, without the command. */
  readonly example?: string;
  /** The command to use instead of this one, which is hidden and works until version 2.0. */
  readonly replacedBy?: string;
  /**
   * Returns a sentence that states what the command deletes or invalidates, for the user to confirm. Returns undefined if there
   * is nothing to confirm.
   */
  readonly question?: (options: Options, ...values: string[]) => string | undefined;
  /** True if the command creates a secret that the service shows only once. */
  readonly createsSecret?: true;
}

export interface Command extends CommandHelp {
  /** Imports the function only when the command runs, so that no command loads the modules of the others. */
  readonly load: () => Promise<Run>;
}

/** The commands for one type of resource, by verb. */
export interface Group {
  readonly summary: string;
  readonly commands: Readonly<Record<string, Command>>;
}

/** The commands and groups below a heading of the help. */
export interface Section {
  readonly heading: string;
  readonly commands?: Readonly<Record<string, Command>>;
  readonly groups?: Readonly<Record<string, Group>>;
  /** The environment variables that only these commands read, with their descriptions. */
  readonly variables?: Readonly<Record<string, string>>;
}
