import { type CommandResult, runInProcess } from '../support/command-line.ts';

/**
 * Runs a command of the operator in this process, on the service of a folder. This takes a fraction of the time of a separate
 * process. A test file must not use it for a service that has restarted, because the SDK clients keep the URL of the first one.
 */
export function operate(
  directory: string,
  parameters: readonly string[],
  input = '',
): Promise<CommandResult> {
  process.env.DATA_DIR = directory;
  return runInProcess(parameters, { input });
}

/** Runs a command that must succeed without a notice, and returns the JSON that it prints. */
export async function operateJson(directory: string, ...parameters: readonly string[]) {
  const { code, stdout, stderr } = await operate(directory, [...parameters, '--json']);
  expect([parameters, code, stderr]).toEqual([parameters, 0, '']);
  return JSON.parse(stdout);
}
