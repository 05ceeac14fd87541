import type { Outputs } from './deployment.ts';
import type { Options } from './usage.ts';

/** The options of a command, and the outputs of the deployment that it acts on. */
export interface Setting {
  readonly options: Options;
  readonly outputs: Outputs;
}

/** A command. Its function has a parameter for each name that follows the command, and resolves to the result to print. */
export type Command = (setting: Setting, ...names: string[]) => Promise<object>;
