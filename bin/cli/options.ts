import { flag, notEmpty, type OptionValues, parsed } from './option-value.ts';
import { resourceOptions } from './resource-options.ts'; // @extension cli

/** All options. Each command accepts only some of them. */
export const options = {
  credential: parsed(
    '--credential <name>',
    'also store the client and the refresh token as a credential with this name',
    notEmpty,
  ),
  replace: flag('--replace', 'replace what already exists'),
  reveal: flag('--reveal', 'print secrets, even if the output is a file or a pipe'),
  yes: flag('-y, --yes', 'do not ask for confirmation'),
  // @extension cli|console {
  url: parsed(
    '--url <url>',
    'call the service at this URL, without AWS credentials (env: DOGS_URL)',
    notEmpty,
  ),
  // @extension cli|console }
  ...resourceOptions, // @extension cli
};

/** The name of an option that only some commands accept. */
export type OptionName = keyof typeof options;

export interface Options extends OptionValues<typeof options> {
  readonly stack?: string;
  readonly json?: boolean;
}
