import { readFileSync } from 'node:fs';
import tab from '@bomb.sh/tab/commander';
import { InvalidArgumentError, Option, Command as Program } from 'commander';
import { printable } from '../printable.ts';
import type { Command, Group } from './command.ts';
import { sections } from './command-tree.ts';
import { notEmpty } from './option-value.ts';
import { type Options, options as optionsByName } from './options.ts';
import type { Terminal } from './terminal.ts';

export type Execute = (command: Command, options: Options, values: string[]) => Promise<void>;

/** Refuses a second value, which would silently replace the first one. */
function once(option: Option): Option {
  const { parseArg } = option;
  if (option.isBoolean()) return option;
  return option.argParser((text: string, earlier: unknown) => {
    if (earlier !== undefined) throw new InvalidArgumentError('It is set more than once.');
    return parseArg ? parseArg(text, earlier) : text;
  });
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
${variableLines().join('\n')}

Exit codes: 0 success, 1 failure, 2 incorrect command line

"npx dogs <command> --help" describes a command, or lists the commands of a
group such as "access".`,
    );
  for (const { heading, commands = {}, groups = {} } of sections) {
    program.commandsGroup(heading);
    for (const [verb, command] of Object.entries(commands)) addCommand(program, verb, command, execute);
    for (const [resource, group] of Object.entries(groups)) addGroup(program, resource, group, execute);
  }
  program.commandsGroup('Shell:');
  addCompletion(program, terminal.print);
  return program;
}

function variableLines(): string[] {
  const variables: Readonly<Record<string, string>> = Object.assign(
    { DATA_DIR: 'the folder of the local service (default: .local)', DOGS_STACK: 'the stack to act on' },
    ...sections.map((section) => section.variables),
  );
  const width = Math.max(...Object.keys(variables).map(({ length }) => length)) + 2;
  return Object.entries(variables).map(([name, text]) => `  ${name.padEnd(width)}${text}`);
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
  for (const option of options) added.addOption(once(optionsByName[option]()));
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
