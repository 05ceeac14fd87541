import { runInProcess } from '../support/command-line.ts';

/**
 * Runs a command of the operator on the service of a folder, in this process, which takes a fraction of the time of a separate
 * process. The command must succeed without a notice. A test file must not call this function after a restart of the service,
 * because the SDK clients keep the URL of the first start.
 *
 * @returns the JSON that the command prints
 */
export async function operate(directory: string, ...parameters: readonly string[]) {
  process.env.DATA_DIR = directory;
  const { code, stdout, stderr } = await runInProcess([...parameters, '--json']);
  expect([parameters, code, stderr]).toEqual([parameters, 0, '']);
  return JSON.parse(stdout);
}
