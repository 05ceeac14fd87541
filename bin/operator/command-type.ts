import type { Outputs } from './deployment.ts';
import type { Options } from './usage.ts';

/** With which options a command is called, and on which deployment. */
export interface Setting {
  readonly options: Options;
  readonly outputs: Outputs;
}

/** A command takes as many names as its function has parameters after the first, and resolves to what is printed. */
export type Command = (setting: Setting, ...names: string[]) => Promise<object>;
