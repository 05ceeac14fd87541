import type { SettingName } from '../../lambdas/contract/dog-settings.ts';
import type { Outputs } from './deployment.ts';

/** All options. Most commands accept only some of them. The settings of a dog are options, too. */
export interface Options extends Readonly<Partial<Record<SettingName, string>>> {
  readonly stack?: string;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly reveal?: boolean;
  readonly replace?: boolean;
  readonly limit?: number;
  readonly credential?: string;
  readonly type?: string;
  readonly dog?: string;
  readonly count?: number;
}

/** What a command acts on, and how it reports. */
export interface CommandContext {
  readonly options: Options;
  /** The outputs of the deployment. */
  readonly outputs: Outputs;
  /** Prints a part of the result to standard output before the command ends. */
  readonly print: (text: string) => void;
  /** Prints a line to standard error, because it is not part of the result. */
  readonly notice: (line: string) => void;
  /** Prints a line to standard error, and sets the exit code to 1. The command still prints its result. */
  readonly fail: (line: string) => void;
  /** Reads standard input to its end. */
  readonly readInput: () => Promise<string>;
}

/** The result of a command. A list is printed as a table, and an object as lines. */
export type Result = object | readonly object[];

/** The function of a command. It has a parameter for each argument. It returns undefined if it has printed its result itself. */
export type Run = (context: CommandContext, ...values: string[]) => Promise<Result | undefined>;
