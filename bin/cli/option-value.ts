import { InvalidArgumentError, Option } from 'commander';

declare const value: unique symbol;

/** Returns an option of a command. Each command has options of its own, because the parser changes them. */
export type OptionOf<Value> = () => Option & { readonly [value]?: Value };

/** The values of options by name, as far as the command line contains them. */
export type OptionValues<Options> = {
  readonly [Name in keyof Options]?: Options[Name] extends OptionOf<infer Value> ? Value : never;
};

export function flag(flags: string, help: string): OptionOf<boolean> {
  return () => new Option(flags, help);
}

/** @param parse throws an `InvalidArgumentError` if the text is not valid */
export function parsed<Value>(flags: string, help: string, parse: (text: string) => Value): OptionOf<Value> {
  return () => new Option(flags, help).argParser(parse);
}

export function notEmpty(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
}
