import { operatorGroups, userGroups } from '../../../bin/cli/command-tree.ts';
import { runInProcess, type TerminalOptions } from '../../support/command-line.ts';

/** Returns the commands of groups, such as `users create`. */
export const namesOf = (groups: Readonly<Record<string, { readonly commands: object }>>): string[] =>
  Object.entries(groups).flatMap(([group, { commands }]) =>
    Object.keys(commands).map((verb) => `${group} ${verb}`),
  );

/** Returns functions that run commands in this process. @param options the options that each command has */
export function commandRunner(...options: readonly string[]) {
  const ran = new Set<string>();
  function dogs(args: string, terminal?: TerminalOptions) {
    const words = args.split(' ');
    const isInGroup = Object.hasOwn({ ...userGroups, ...operatorGroups }, words[0] ?? '');
    ran.add(words.slice(0, isInGroup ? 2 : 1).join(' '));
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
