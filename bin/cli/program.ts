import { readFileSync } from 'node:fs';
import tab from '@bomb.sh/tab/commander';
import { InvalidArgumentError, Option, Command as Program } from 'commander';
import {
  mapSettings,
  type SettingName,
  settingOf,
  settingTexts,
} from '../../lambdas/contract/dog-settings.ts';
import { printable } from '../printable.ts';
import type { Options } from './command.ts';
import {
  type Command,
  consoleCommands,
  dogCommands,
  type Group,
  type OptionName,
  operatorGroups,
  userGroups,
} from './command-tree.ts';
import { flagOf } from './flag.ts';
import { wordsOf } from './setting-values.ts';
import type { Terminal } from './terminal.ts';

export type Execute = (command: Command, options: Options, values: string[]) => Promise<void>;

const optionTexts: Readonly<Record<OptionName, () => Option>> = {
  ...mapSettings((name) => () => settingOption(name)),
  credential: () =>
    new Option(
      '--credential <name>',
      'also store the client and the refresh token as a credential with this name',
    ).argParser(notEmpty),
  limit: () =>
    new Option('--limit <number>', 'the maximum number of entries (default: 100)').argParser(positive),
  replace: () => new Option('--replace', 'replace what already exists'),
  reveal: () => new Option('--reveal', 'print secrets, even if the output is a file or a pipe'),
  // @extension events {
  type: () =>
    new Option(
      '--type <type>',
      'only events whose type is this or begins with it, for example dogs.bark',
    ).argParser(notEmpty),
  dog: () => new Option('--dog <id>', 'only the events of this dog').argParser(notEmpty),
  count: () => new Option('--count <number>', 'end after this number of events').argParser(positive),
  // @extension events }
  yes: () => new Option('-y, --yes', 'do not ask for confirmation'),
  url: () =>
    new Option(
      '--url <url>',
      'call the service at this URL, without AWS credentials (env: DOGS_URL)',
    ).argParser(notEmpty),
  user: () =>
    new Option(
      '--user <name>',
      'act as this user (env: DOGS_USER, and DOGS_PASSWORD for the password)',
    ).argParser(notEmpty),
  message: () => new Option('--message <text>', "the bark's message, which its email contains"),
  async: () => new Option('--async', 'accept the bark now, and perform it later'),
  wait: () => new Option('--wait', 'wait until an asynchronous bark has ended'),
  idempotencyKey: () =>
    new Option(
      '--idempotency-key <key>',
      'make the dog bark only once, even if you repeat the command',
    ).argParser(headerText),
  next: () =>
    new Option(
      '--next <time>',
      'the time of the first bark: now (the default), a delay such as 10m, 2h or 1d, or a local time such as 2027-01-01T09:00',
    ).argParser(timeIn),
  frequency: () =>
    new Option(
      '--frequency <minutes>',
      'the minutes between barks; without it, the dog barks once',
    ).argParser(minutes),
};

function settingOption(name: SettingName): Option {
  const { value, help } = settingTexts[name].option;
  const option = new Option(`${flagOf(name)} <${value}>`, help);
  const setting = settingOf(name);
  const words = wordsOf(setting);
  // An empty value removes an optional setting.
  return words ? option.choices([...words, ...(setting.isAlwaysSet ? [] : [''])]) : option;
}

/** Refuses a second value, which would silently replace the first one. */
function once(option: Option): Option {
  const { parseArg } = option;
  if (option.isBoolean()) return option;
  return option.argParser((text: string, earlier: unknown) => {
    if (earlier !== undefined) throw new InvalidArgumentError('It is set more than once.');
    return parseArg ? parseArg(text, earlier) : text;
  });
}

function notEmpty(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
}

function positive(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 999999.');
}

function headerText(text: string): string {
  if (/^[ -~]{1,255}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 255 printable ASCII characters.');
}

function minutes(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of minutes.');
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Returns Unix seconds. 0 means now. */
function timeIn(text: string): number {
  if (text === 'now') return 0;
  const [, amount, unit = ''] = /^\+?(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (amount) return Math.floor(Date.now() / 1000) + Number(amount) * (unitSeconds[unit] ?? 0);
  if (/^(0|\d{9,11})$/.test(text)) return Number(text);
  // A date without a time is invalid, because JavaScript would read it as UTC instead of local time.
  const [, date = ''] = /^(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d/.exec(text) ?? [];
  const seconds = isDay(date) ? Math.floor(Date.parse(text) / 1000) : Number.NaN;
  if (seconds >= 0) return seconds;
  throw new InvalidArgumentError('It must be now, a delay such as 10m, or a time such as 2027-01-01T09:00.');
}

/** `Date.parse` converts 30 February to a day in March. */
function isDay(date: string): boolean {
  return new Date(Date.parse(date) || 0).toISOString().startsWith(`${date}T`);
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}

/** Longer lines are hard to read. */
const maxHelpWidth = 100;

/**
 * For help or an incorrect command line, the parser prints text and throws a `CommanderError`. Otherwise, it calls `execute`. The
 * command `complete` replaces `console.log`, which the caller must restore.
 */
export function createProgram(terminal: Terminal, execute: Execute): Program {
  const helpWidth = Math.min(terminal.columns ?? maxHelpWidth, maxHelpWidth);
  const program = new Program('dogs')
    .description('The command line of the dog service.')
    .version(version(), '-V, --version', 'print the version')
    .addOption(
      once(
        new Option(
          '--stack <name>',
          'act on a deployed stack, with your AWS credentials (env: DOGS_STACK)',
        ).argParser(notEmpty),
      ),
    )
    .option('--json', 'print the output as one JSON document')
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError('Run npx dogs --help for the commands.')
    .configureHelp({ showGlobalOptions: true, styleTitle: terminal.heading })
    .configureOutput({
      writeOut: terminal.print,
      writeErr: terminal.printError,
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
      outputError: (message, write) => write(`${printable(sentence(message))}\n`),
    })
    .addHelpText(
      'after',
      `
Unless an option or a variable names another service, a command acts on the local service of \`npm start\`.

Environment variables:
  DATA_DIR       the folder of the local service (default: .local)
  DOGS_STACK     the stack to act on
  DOGS_URL       the URL of the service, for commands that act as a user
  DOGS_USER      the user (default: the first user of the local service)
  DOGS_PASSWORD  the user's password (default: that of the local first user; otherwise, the command asks)

Exit codes: 0 success, 1 failure, 2 incorrect command line

"npx dogs <command> --help" describes a command, or lists the commands of a
group such as "users".`,
    );
  const addCommands = (
    heading: string,
    commands: Group['commands'],
    groups: Readonly<Record<string, Group>>,
  ) => {
    program.commandsGroup(heading);
    for (const [verb, command] of Object.entries(commands)) addCommand(program, verb, command, execute);
    for (const [resource, group] of Object.entries(groups)) addGroup(program, resource, group, execute);
  };
  addCommands('Dogs, with the credentials of a user:', dogCommands, userGroups);
  addCommands('Console:', consoleCommands, {});
  addCommands('Operation, with AWS credentials:', {}, operatorGroups);
  program.commandsGroup('Shell:');
  addCompletion(program, terminal.print);
  return program;
}

/**
 * Adds the command `complete`, which prints a shell's completion script. The script calls `complete` again to list the possible
 * words.
 */
function addCompletion(program: Program, print: (text: string) => void): void {
  tab(program);
  const complete = program.commands.find((command) => command.name() === 'complete');
  // The package prints with console.log. Its script for bash declares readonly variables, so a shell could source it only once.
  complete
    ?.hook('preAction', () => {
      console.log = (text: string) => print(`${text.replaceAll(/^readonly (?=\w+=)/gm, '')}\n`);
    })
    .summary('print the completion script for a shell')
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
  const { summary, details, arguments: parameters = {}, options = [], example = '', replacedBy } = command;
  const added = parent.command(verb, { hidden: replacedBy !== undefined }).summary(summary);
  const resource = parent.parent ? `${parent.name()} ` : '';
  const name = `npx dogs ${resource}${verb}`;
  added.description([sentence(summary), details, noticeOf(command)].filter(Boolean).join(' '));
  if (!replacedBy) added.addHelpText('after', `\nExample:\n  ${`${name} ${example}`.trim()}`);
  added.showHelpAfterError(`Run ${name} --help for the usage.`);
  for (const [parameter, description] of Object.entries(parameters))
    added.argument(parameter.startsWith('[') ? parameter : `<${parameter}>`, description, notEmpty);
  for (const option of options) added.addOption(once(optionTexts[option]()));
  added.action(() => execute(command, added.optsWithGlobals<Options>(), added.args));
}

/** Returns undefined unless another command replaces the command. */
export function noticeOf({ replacedBy }: Command): string | undefined {
  return (
    replacedBy && `Use "npx dogs ${replacedBy}", which acts as a user. Version 2.0 removes this command.`
  );
}

/** Returns a summary, or an error from commander, as a sentence. A suggestion in the error becomes a second sentence. */
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
