import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Kills the database processes that a killed service left behind, so that no two processes write to the same file. Waits until
 * they have ended. Does nothing on Windows.
 *
 * @param file the file of the database
 */
export async function killOrphans(file: string): Promise<void> {
  for (const pid of processesOn(file)) {
    process.kill(pid, 'SIGKILL');
    while (processesOn(file).includes(pid)) await sleep(10);
  }
}

function processesOn(file: string): number[] {
  return commandLines()
    .filter(({ args }) => args.includes('dynoxide') && `${args} `.includes(` --db-path ${file} `))
    .map(({ pid }) => pid);
}

function commandLines(): { pid: number; args: string }[] {
  if (process.platform === 'linux')
    // The name of a process can be read at once. Its command line can be read only when the process is not changing its memory.
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && readIfThere(`/proc/${name}/comm`).trim() === 'dynoxide')
      .map((name) => ({
        pid: Number(name),
        args: readIfThere(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim(),
      }));
  if (process.platform === 'win32') return [];
  return execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => ({ pid: Number.parseInt(line, 10), args: line.trim().replace(/^\d+ /, '') }));
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has just ended.
    return '';
  }
}
