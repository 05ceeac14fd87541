import type { Section } from '../../../bin/cli/command.ts';
import { sections } from '../../../bin/cli/command-tree.ts';
import { runInProcess, type TerminalOptions } from '../../support/command-line.ts';

/** Returns the commands of a section, such as `list` and `users create`. */
export const namesOf = ({ commands = {}, groups = {} }: Omit<Section, 'heading'>): string[] => [
  ...Object.keys(commands),
  ...Object.entries(groups).flatMap(([group, { commands }]) =>
    Object.keys(commands).map((verb) => `${group} ${verb}`),
  ),
];

const groups = sections.flatMap((section) => Object.keys(section.groups ?? {}));

/** Returns functions that run commands in this process. @param options the options that each command has */
export function commandRunner(...options: readonly string[]) {
  const ran = new Set<string>();
  function dogs(args: string, terminal?: TerminalOptions) {
    const words = args.split(' ');
    ran.add(words.slice(0, groups.includes(words[0] ?? '') ? 2 : 1).join(' '));
    return runInProcess([...words, ...options], terminal);
  }
  /** Runs a command that must succeed. @returns the JSON that it prints, and nothing else */
  async function json(args: string, terminal?: TerminalOptions) {
    const { code, stdout, stderr } = await dogs(`${args} --json`, terminal);
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    return JSON.parse(stdout);
  }
  /** Runs a command that must fail. @returns its exit code and its message */
  async function failure(args: string, terminal?: TerminalOptions): Promise<string> {
    const { code, stdout, stderr } = await dogs(args, terminal);
    expect({ args, stdout }).toEqual({ args, stdout: '' });
    return `${code}: ${stderr.trim()}`;
  }
  return { ran, dogs, json, failure };
}
