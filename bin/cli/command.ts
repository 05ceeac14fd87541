import type { SettingName } from '../../lambdas/contract/dog-settings.ts';
import type { Outputs } from './deployment.ts';

/** All options, including a dog's settings. Each command accepts only some of them. */
export interface Options extends Readonly<Partial<Record<SettingName, string>>> {
  readonly stack?: string;
  readonly json?: boolean;
  readonly url?: string;
  readonly user?: string;
  readonly yes?: boolean;
  readonly reveal?: boolean;
  readonly replace?: boolean;
  readonly limit?: number;
  readonly credential?: string;
  // @extension events {
  readonly type?: string;
  readonly dog?: string;
  readonly count?: number;
  // @extension events }
  readonly message?: string;
  readonly async?: boolean;
  readonly wait?: boolean;
  readonly idempotencyKey?: string;
  /** Unix seconds; 0 means now. */
  readonly next?: number;
  /** Minutes. */
  readonly frequency?: number;
}

export interface CommandContext {
  readonly options: Options;
  /** Prints part of the result to standard output before the command ends. */
  readonly print: (text: string) => void;
  /** Prints to standard error a line that is not part of the result. */
  readonly notice: (line: string) => void;
  /** Prints a line to standard error, and sets the exit code to 1. The command still prints its result. */
  readonly fail: (line: string) => void;
  readonly readInput: () => Promise<string>;
  /** Resolves to undefined if there is no terminal, or if the person declines. */
  readonly askSecret: (question: string) => Promise<string | undefined>;
  /** Shows on the terminal what the command is waiting for, and for how long. @returns a function that removes the line */
  readonly showProgress: (text: string) => () => void;
}

export interface OperatorContext extends CommandContext {
  readonly outputs: Outputs;
}

/** A list is printed as a table, and an object as lines: see `asText`. */
export type Result = object | readonly object[];

/** Takes the command's arguments in order. Returns undefined if the command has printed its result itself. */
type Run<Context> = (context: Context, ...values: string[]) => Promise<Result | undefined>;

export type OperatorRun = Run<OperatorContext>;

export type UserRun = Run<CommandContext>;
