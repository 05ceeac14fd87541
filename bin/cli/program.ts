import tab from '@bomb.sh/tab/commander';
import { InvalidArgumentError, Option, Command as Program } from 'commander';
import {
  mapSettings,
  type SettingName,
  settingOf,
  settingTexts,
} from '../../lambdas/contract/dog-settings.ts';
import type { Options } from './command.ts';
import {
  type Command,
  consoleCommands,
  dogCommands,
  type Group,
  groups,
  type OptionName,
} from './command-tree.ts';
import { flagOf } from './flag.ts';
import type { Terminal } from './terminal.ts';

/** Runs a command that the command line names. */
export type Execute = (command: Command, options: Options, values: string[]) => Promise<void>;

const optionTexts: Readonly<Record<OptionName, () => Option>> = {
  ...mapSettings((name) => () => settingOption(name)),
  credential: () =>
    new Option(
      '--credential <name>',
      'also store the client and the refresh token as the credential with this name',
    ),
  limit: () =>
    new Option('--limit <number>', 'the maximum number of entries (default: 100)').argParser(positive),
  replace: () => new Option('--replace', 'replace items that already exist'),
  reveal: () => new Option('--reveal', 'print secrets, even if the output is a file or a pipe'),
  type: () =>
    new Option('--type <type>', 'only events of this type, or whose type begins with it, such as dogs.bark'),
  dog: () => new Option('--dog <id>', 'only the events of this dog'),
  count: () => new Option('--count <number>', 'end after this number of events').argParser(positive),
  yes: () => new Option('-y, --yes', 'do not ask for confirmation'),
};

function settingOption(name: SettingName): Option {
  const { value, help } = settingTexts[name].option;
  const option = new Option(`${flagOf(name)} <${value}>`, help);
  const setting = settingOf(name);
  // The empty value removes a setting.
  const none = setting.isAlwaysSet ? [] : [''];
  if (setting.kind === 'choice') return option.choices([...setting.choices, ...none]);
  return setting.kind === 'switch' ? option.choices(['true', 'false', ...none]) : option;
}

function positive(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 999999.');
}

/**
 * Returns the parser of the command line. If the command line requests help or is incorrect, the parser prints the help or an
 * error, and throws a `CommanderError`. Otherwise, it calls `execute`.
 */
export function createProgram(terminal: Terminal, execute: Execute): Program {
  const program = new Program('dogs')
    .description('The operator CLI of the dog service.')
    .option('--stack <name>', 'act on a deployed stack, with your AWS credentials and region')
    .option('--json', 'print the output as one JSON document')
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError('Run npx dogs --help for the commands.')
    .configureHelp({ showGlobalOptions: true, styleTitle: terminal.heading })
    .configureOutput({
      writeOut: terminal.print,
      writeErr: terminal.printError,
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
      outputError: (message, write) => write(`${sentence(message)}\n`),
    })
    .addHelpText(
      'after',
      `
Without --stack, a command acts on the local service that \`npm start\` runs. The
environment variable DATA_DIR names the folder with the state of that service
(default: .local).
"npx dogs <command> --help" describes a command, or lists the commands of a group such as "users".`,
    );
  program.commandsGroup('Dogs:');
  for (const [verb, command] of Object.entries(dogCommands)) addCommand(program, verb, command, execute);
  program.commandsGroup('Resources:');
  for (const [resource, group] of Object.entries(groups)) addGroup(program, resource, group, execute);
  program.commandsGroup('Console:');
  for (const [verb, command] of Object.entries(consoleCommands)) addCommand(program, verb, command, execute);
  program.commandsGroup('Shell:');
  addCompletion(program);
  return program;
}

/**
 * Adds the command `complete`, which prints the completion script for a shell. The script calls the same command to get the
 * possible words.
 */
function addCompletion(program: Program): void {
  tab(program);
  const complete = program.commands.find((command) => command.name() === 'complete');
  complete
    ?.summary('print the completion script for a shell')
    .description(
      'Print the script that completes commands in bash, zsh, fish or powershell. The script completes the command dogs, but not npx dogs. Run npm link to install the command dogs.',
    )
    .addHelpText('after', '\nExample:\n  source <(npx dogs complete bash)');
}

function addGroup(program: Program, resource: string, { summary, commands }: Group, execute: Execute): void {
  const group = program.command(resource).summary(summary).description(sentence(summary)).helpCommand(false);
  group.showHelpAfterError(`Run npx dogs ${resource} --help for the commands.`);
  for (const [verb, command] of Object.entries(commands)) addCommand(group, verb, command, execute);
}

function addCommand(parent: Program, verb: string, command: Command, execute: Execute): void {
  const { summary, details, arguments: parameters = {}, options = [], example } = command;
  const added = parent.command(verb).summary(summary);
  const resource = parent.parent ? `${parent.name()} ` : '';
  const name = `npx dogs ${resource}${verb}`;
  added.description([sentence(summary), details].filter(Boolean).join(' '));
  added.addHelpText('after', `\nExample:\n  ${`${name} ${example}`.trim()}`);
  added.showHelpAfterError(`Run ${name} --help for the usage.`);
  for (const [parameter, description] of Object.entries(parameters))
    added.argument(`<${parameter}>`, description);
  for (const option of options) added.addOption(optionTexts[option]());
  added.action(() => execute(command, added.optsWithGlobals<Options>(), added.args));
}

/** Returns a summary, or an error of commander, as a sentence. A suggestion in the error becomes a second sentence. */
function sentence(text: string): string {
  const [first = '', suggestion] = text
    .replace(/^error: /, '')
    .trimEnd()
    .split('\n');
  const sentences = [first, suggestion?.replace(/^\((.*)\)$/, '$1')].filter(Boolean).map((one = '') => {
    const capitalized = one.charAt(0).toUpperCase() + one.slice(1);
    return /[.?]$/.test(capitalized) ? capitalized : `${capitalized}.`;
  });
  return sentences.join(' ');
}
